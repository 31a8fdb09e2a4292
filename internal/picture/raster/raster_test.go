package raster

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/picture"
)

// TestPNG: the picture lies where its coordinates say, in its inks on white.
func TestPNG(t *testing.T) {
	p := &picture.Picture{Width: 72, Height: 36}
	p.Area(0, 0, 10, 10, picture.Alert)
	p.Line([]picture.Point{{X: 40, Y: 20}, {X: 70, Y: 20}}, picture.Soft, 4, false)
	for k := range 5 {
		p.Mark(picture.Point{X: 15 + 11*float64(k), Y: 30}, 4, picture.Class(k), picture.FormOf(k), "")
	}
	p.Items = append(p.Items, picture.Item{Kind: picture.Mark, At: picture.Point{X: 60, Y: 8}, Radius: 2, Ink: picture.Class(1), Ring: true})
	p.Text(picture.Point{X: 30, Y: 16}, "III", 14, picture.Start, picture.Strong)
	var file bytes.Buffer
	if err := WritePNG(&file, p); err != nil {
		t.Fatal(err)
	}
	got, err := png.Decode(&file)
	if err != nil {
		t.Fatal(err)
	}
	const scale = dots / 72.0
	if size := got.Bounds().Size(); size != (image.Point{72 * scale, 36 * scale}) {
		t.Fatalf("size %v", size)
	}
	at := func(x, y float64) color.NRGBA {
		return color.NRGBAModel.Convert(got.At(int(x*scale), int(y*scale))).(color.NRGBA)
	}
	white := color.NRGBA{255, 255, 255, 255}
	type spot struct {
		x, y float64
		want color.NRGBA
	}
	spots := []spot{
		{5, 5, picture.Alert.Colour()},
		{5, 12, white},
		{50, 20, picture.Soft.Colour()},
		{50, 24, white},
		{36, 20, white},
		{60, 8, picture.Class(1).Colour()},
		{60, 8 - 3.3, white},
	}
	for k := range 5 {
		spots = append(spots, spot{15 + 11*float64(k), 30, picture.Class(k).Colour()})
	}
	for _, s := range spots {
		if got := at(s.x, s.y); got != s.want {
			t.Errorf("at (%g, %g): %v, expected %v", s.x, s.y, got, s.want)
		}
	}
	dark := 0 // the letters stand on their line
	for y := 4.0; y < 15.5; y += 1 / scale {
		for x := 29.0; x < 45; x += 1 / scale {
			if at(x, y) == picture.Strong.Colour() {
				dark++
			}
		}
	}
	if below := at(31, 17.5); dark < 100 || below != white {
		t.Errorf("%d dark dots of letters, below them %v", dark, below)
	}
}
