// Package picture holds drawings of lines, areas, marks and words, each in an
// ink and not in a colour: the same drawing is written as an SVG whose colours
// a page sets (and changes for a dark screen), and as an SVG that stands alone.
//
// Classes differ in ink and in form, so that no difference is one of colour alone. A
// picture in a file of its own stands on white.
//
// Coordinates grow to the right and down, from 0 to the picture's width and
// height; a unit is about a point.
package picture

// Picture is a drawing. Items that come later lie over those before.
type Picture struct {
	Title         string // what it shows, for readers who cannot see it
	Width, Height float64
	Items         []Item
}

// Point is a place in a picture.
type Point struct{ X, Y float64 }

// Item is a part of a picture. Which fields count depends on its kind.
type Item struct {
	Kind   Kind
	Ink    Ink
	Lines  [][]Point // of a [Line]
	Width  float64   // of a line
	Dashed bool

	At     Point // of a [Mark] or a [Text]
	Radius float64
	Form   Form
	Ring   bool   // a mark with a ring around it
	Title  string // what is told of a mark that is pointed at

	Words  string
	Size   float64 // of the letters
	Anchor Anchor
	Turned bool // by 90°, to be read from the right
}

// Kind is what an item is.
type Kind int

// The kinds.
const (
	Line Kind = iota // lines through Lines
	Mark             // a small form at At
	Text             // Words at At
)

// Anchor is the part of a text that lies at its place.
type Anchor int

// The anchors.
const (
	Start Anchor = iota
	Middle
	End
)

// Form is the form of a mark.
type Form int

// The forms.
const (
	Circle Form = iota
	Square
	Triangle
	Diamond
	Cross
	forms // their number
)

// Ink is what an item is drawn with: one of those below, or of [Class].
type Ink int

// The inks.
const (
	Strong Ink = -1 - iota // text and what matters
	Soft                   // axes, what has no class
	Faint                  // lines of a grid, edges inside a class
	Alert                  // what is wrong
	Rosy                   // edges between classes
	Paper                  // the ground
)

// Class returns the ink of class k. There are ten; with the forms of
// [FormOf], fifty classes look different.
func Class(k int) Ink { return Ink(k % colours) }

// FormOf returns the form of the marks of class k: classes of neighbouring
// numbers differ in it, and those that share an ink do, so that nothing depends
// on colours alone.
func FormOf(k int) Form { return Form((k + k/colours) % int(forms)) }

// Moved returns an item at another place, without its title.
func (i Item) Moved(x, y float64) Item {
	moved := func(p Point) Point { return Point{X: p.X + x, Y: p.Y + y} }
	lines := make([][]Point, len(i.Lines))
	for k, line := range i.Lines {
		lines[k] = make([]Point, len(line))
		for j, p := range line {
			lines[k][j] = moved(p)
		}
	}
	i.At, i.Lines, i.Title = moved(i.At), lines, ""
	return i
}

// Line adds a line through points.
func (p *Picture) Line(points []Point, ink Ink, width float64, dashed bool) {
	p.Items = append(p.Items, Item{Kind: Line, Ink: ink, Lines: [][]Point{points}, Width: width, Dashed: dashed})
}

// Mark adds the mark of a class.
func (p *Picture) Mark(at Point, radius float64, ink Ink, form Form, title string) {
	p.Items = append(p.Items, Item{Kind: Mark, At: at, Radius: radius, Ink: ink, Form: form, Title: title})
}

// Text adds words.
func (p *Picture) Text(at Point, words string, size float64, anchor Anchor, ink Ink) {
	p.Items = append(p.Items, Item{Kind: Text, At: at, Words: words, Size: size, Anchor: anchor, Ink: ink})
}

// Corners are the corners of a form of radius 1 around 0; none for a circle.
func (f Form) Corners() []Point {
	switch f {
	case Square:
		return []Point{{-0.86, -0.86}, {0.86, -0.86}, {0.86, 0.86}, {-0.86, 0.86}}
	case Triangle:
		return []Point{{0, -1.2}, {1.1, 0.75}, {-1.1, 0.75}}
	case Diamond:
		return []Point{{0, -1.25}, {1.1, 0}, {0, 1.25}, {-1.1, 0}}
	case Cross:
		const a, b = 0.42, 1.1
		return []Point{{-a, -b}, {a, -b}, {a, -a}, {b, -a}, {b, a}, {a, a}, {a, b}, {-a, b}, {-a, a}, {-b, a}, {-b, -a}, {-a, -a}}
	}
	return nil
}
