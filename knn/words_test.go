package knn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

func TestMetricOf(t *testing.T) {
	for _, test := range []struct {
		columns, above, below int // of 1,000 numbers
		want                  Metric
	}{{100, 150, 0, HellingerIDF}, {100, 151, 0, L2}, {50, 50, 0, HellingerIDF}, {50, 51, 0, L2}, {100, 40, 1, L2}, {100, 0, 0, L2}, {100, 1000, 0, L2}} {
		n, d := 1000/test.columns, test.columns
		x := csr.NewDense(n, d)
		for k := range test.above {
			x.Data[k*7%1000] = 2
		}
		for k := range test.below {
			x.Data[999-k] = -1
		}
		sparse, err := csr.FromDense(x)
		if err != nil {
			t.Fatal(err)
		}
		if dense, of := MetricOf(x), MetricOfSparse(sparse); dense != test.want || of != test.want {
			t.Errorf("%+v: %v of dense rows, %v of sparse ones", test, dense, of)
		}
		if want := test.want != L2; Words(x) != want || WordsSparse(sparse) != want {
			t.Errorf("%+v: words %t of dense rows, %t of sparse ones", test, Words(x), WordsSparse(sparse))
		}
	}
}

// TestMetricOfShares: rows that sum to the same are shares of a whole, rounded percentages too. One column of another unit, a value below 0,
// two columns, categories, or years beside small numbers are none.
func TestMetricOfShares(t *testing.T) {
	draw := func(n, d int, whole float64, digits int) *csr.Dense {
		rng := rand.New(rand.NewPCG(uint64(n), uint64(d)))
		x := csr.NewDense(n, d)
		for i := range n {
			row, sum := make([]float64, d), 0.0
			for j := range row {
				row[j] = rng.ExpFloat64()
				sum += row[j]
			}
			for j, v := range row {
				unit := math.Pow10(digits)
				x.Set(i, j, float32(math.Round(v/sum*whole*unit)/unit))
			}
		}
		return x
	}
	change := func(x *csr.Dense, change func(row []float32)) *csr.Dense {
		for i := range x.Rows {
			change(x.Row(i))
		}
		return x
	}
	hot := change(draw(50, 4, 1, 6), func(row []float32) {
		most := slices.Index(row, slices.Max(row))
		clear(row)
		row[most] = 1
	})
	blank := draw(50, 4, 1, 6)
	clear(blank.Row(0))
	clear(blank.Row(49))
	below := draw(50, 4, 1, 6)
	below.Set(49, 0, below.At(49, 0)+below.At(49, 1)+0.25)
	below.Set(49, 1, -0.25)
	years, halves := csr.NewDense(56, 4), csr.NewDense(56, 4)
	for i := range years.Rows {
		copy(years.Row(i), []float32{2010 + float32(i%14), float32(i * 3 % 7), float32(i % 2), 0.5})
		half := 0.5 - 0.002*float32(i%2)
		halves.Set(i, i%4, half)
		halves.Set(i, (i+1+i/4%3)%4, half)
	}
	for name, c := range map[string]struct {
		x    *csr.Dense
		want Metric
	}{
		"years and small numbers":  {years, L2},
		"two shares of each row":   {halves, Hellinger},
		"shares":                   {draw(50, 4, 1, 6), Hellinger},
		"of many columns":          {draw(50, 100, 1, 6), Hellinger},
		"pixels":                   {draw(50, 101, 1, 6), L2},
		"percentages":              {draw(500, 8, 100, 1), Hellinger},
		"counts of a window":       {draw(50, 8, 10_000, 0), Hellinger},
		"two rows without any":     {blank, Hellinger},
		"too coarse":               {draw(500, 8, 100, 0), L2},
		"two columns":              {draw(50, 2, 1, 6), L2},
		"categories":               {hot, L2},
		"a value below 0":          {below, L2},
		"one column more":          {change(draw(50, 4, 1, 6), func(row []float32) { row[0] += row[1] }), L2},
		"nothing":                  {csr.NewDense(50, 4), L2},
		"of unit length":           {change(draw(50, 4, 1, 6), func(row []float32) { row[0] = float32(math.Sqrt(1 - float64(row[1]*row[1]))) }), L2},
		"shares, of rows as words": {change(draw(50, 200, 1, 6), func(row []float32) { clear(row[8:]) }), HellingerIDF},
	} {
		sparse, err := csr.FromDense(c.x)
		if err != nil {
			t.Fatal(err)
		}
		if dense, of := MetricOf(c.x), MetricOfSparse(sparse); dense != c.want || of != c.want {
			t.Errorf("%s: %v of dense rows, %v of sparse ones, expected %v", name, dense, of, c.want)
		}
	}
}

// TestMetricOfWeightedWords: words that are there or not, or counted, are to be weighted; words by TF-IDF are not, whatever the lengths of the
// rows, in dense and in sparse rows.
func TestMetricOfWeightedWords(t *testing.T) {
	racing.LongSum(t)
	rng := rand.New(rand.NewPCG(6, 6))
	const n, d = 6000, 400
	counts := csr.NewDense(n, d)
	for i := 1; i < n; i++ { // a text without a word comes first
		for range 2 + rng.IntN(20) {
			q := int(float64(d) * math.Pow(rng.Float64(), 3)) // some words are frequent
			counts.Row(i)[q]++
		}
	}
	texts, with := 0.0, make([]float64, d)
	for i := range n {
		for q, v := range counts.Row(i) {
			if v > 0 {
				with[q]++
			}
		}
	}
	for i := range n {
		if !isZero(counts.Row(i)) {
			texts++
		}
	}
	once := func(v float64, _ int) float64 { return min(v, 1) }
	tf := func(v float64, _ int) float64 { return v }
	byLog := func(v float64, q int) float64 { return v * math.Log2(texts/with[q]) }
	smooth := func(v float64, q int) float64 { return v * (1 + math.Log((1+texts)/(1+with[q]))) } // scikit-learn's
	for _, c := range []struct {
		name   string
		weight func(v float64, q int) float64
		want   Metric
	}{
		{"there or not", once, HellingerIDF},
		{"counted", tf, HellingerIDF},
		{"1 + ln of counts", func(v float64, _ int) float64 { return 1 + math.Log(v) }, HellingerIDF},
		{"TF-IDF", byLog, Hellinger},
		{"TF-IDF, smooth", smooth, Hellinger},
		{"TF-IDF of words that are there or not", func(v float64, q int) float64 { return smooth(once(v, q), q) }, Hellinger},
	} {
		for _, unit := range []bool{false, true} {
			x := csr.NewDense(n, d)
			for i := range n {
				norm := 0.0
				for q, v := range counts.Row(i) {
					if v > 0 {
						of := c.weight(float64(v), q)
						x.Row(i)[q] = float32(of)
						norm += of * of
					}
				}
				for q := range x.Row(i) {
					if unit && norm > 0 {
						x.Row(i)[q] /= float32(math.Sqrt(norm))
					}
				}
			}
			sparse, err := csr.FromDense(x)
			if err != nil {
				t.Fatal(err)
			}
			if dense, of := MetricOf(x), MetricOfSparse(sparse); dense != c.want || of != c.want {
				t.Errorf("%s (unit rows: %t): %v of dense rows, %v of sparse ones, want %v", c.name, unit, dense, of, c.want)
			}
		}
	}
}

// TestSlopeOfWeights: the slope is that of least squares with an offset for each row, and 1 for words by TF-IDF as scikit-learn has it but for the
// 1 beside n_q. Entries of 0 and empty rows change nothing.
func TestSlopeOfWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	const n, d = 40, 30
	x := csr.NewDense(n, d)
	for i := 1; i < n; i++ {
		for range 6 {
			x.Row(i)[rng.IntN(1+rng.IntN(d))] = float32(1 + 3*rng.Float64())
		}
	}
	idf := make([]float64, d)
	for q := range d {
		with := 0.0
		for i := range n {
			if x.Row(i)[q] > 0 {
				with++
			}
		}
		idf[q] = math.Log(n / with) // n − 1 texts that are not empty
	}
	each := func(x *csr.Dense) func(i int, visit func(q uint32, v float32)) {
		return func(i int, visit func(q uint32, v float32)) {
			for q, v := range x.Row(i) {
				visit(uint32(q), v)
			}
		}
	}
	// Columns: an offset for each row that is not empty, and the regressor.
	var rows, value []float64
	count := 0
	for i := range n {
		for q, v := range x.Row(i) {
			if v > 0 {
				row := make([]float64, n)
				row[i], row[0] = 1, math.Log(1+idf[q])
				rows, value = append(rows, row...), append(value, math.Log(float64(v)))
				count++
			}
		}
	}
	var fitted mat.VecDense
	if err := fitted.SolveVec(mat.NewDense(count, n, rows), mat.NewVecDense(count, value)); err != nil {
		t.Fatal(err)
	}
	if got, want := slopeOfWeights(n, each(x)), fitted.AtVec(0); math.Abs(got-want) > 1e-9 {
		t.Errorf("slope %v, least squares %v", got, want)
	}
	for i := range n {
		for q, v := range x.Row(i) {
			if v > 0 {
				x.Row(i)[q] = float32((1 + idf[q]) * float64(1+i))
			}
		}
	}
	if got := slopeOfWeights(n, each(x)); math.Abs(got-1) > 1e-6 {
		t.Errorf("slope %v of words by TF-IDF", got)
	}
	if got := slopeOfWeights(1, each(x)); got != 0 {
		t.Errorf("slope %v of no word", got)
	}
}
