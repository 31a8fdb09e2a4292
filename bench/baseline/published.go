package baseline

import (
	"slices"
	"strings"
)

// published holds the figures of the paper's tables in percent, mean ± standard
// deviation over 10 draws, by set and method, in the order of the set's
// labels a class; one figure where the paper gives one.
var published = map[string]map[string][]string{
	"coil20": coil20, "coil20@ssc": coil20, "yaleb:15": yaleb, "yaleb:15@ssc": yaleb,
	"orl": orl, "orl@l1": orl,
	"wikipedia": {
		"LapRLS": {"64.3±1.0"}, "GD": {"66.3±0.6"}, "ADP": {"67.5±1.1"},
	},
}

// cited are the columns that the paper took from other papers.
var cited = map[int]map[string]string{
	1: {"KNN": "Fang et al. 2018", "L1": "Fang et al. 2018", "SPG": "Fang et al. 2018", "NNLRS": "Fang et al. 2018", "SSNNLRS": "Fang et al. 2018", "FAML": "Fang et al. 2018"},
	2: {"LapRLS": "Gong et al. 2018", "GD": "Gong et al. 2018"},
}

// figure returns the paper's figure for a number of labels a class, "–" where it has none.
func figure(set Set, method string, perClass int) string {
	method, _, _ = strings.Cut(method, "@") // a variant's are those of its row
	values := published[set.Name][method]
	switch {
	case len(values) == 0:
		return "–"
	case len(values) == 1:
		return values[0]
	}
	for _, of := range Sets() {
		if k := slices.Index(of.PerClass, perClass); of.Name == set.Name && k >= 0 {
			return values[k]
		}
	}
	return "–"
}

// ownGraph names the sets on the graph of the ADP authors' program.
const ownGraph = "coil20@ssc and yaleb:15@ssc"

// reason says why a row may differ from the paper's.
func reason(s Set, m Method) string {
	text := "draws and preprocessing not stated"
	if len(published[s.Name][m.Name]) == 0 {
		text = "not in the paper's table"
	} else if from := cited[s.Table][m.Name]; from != "" {
		text = "cited by the paper from " + from + ": its draws, parameters and preprocessing"
	} else if m.Kind == Diffusion {
		text = "draws; its initial graph is that of " + ownGraph
	}
	if m.Assumed != "" {
		text += "; assumed parts †"
	}
	return text
}

var orl = map[string][]string{
	"LapRLS": {"71.3±3.2"}, "DLSR": {"73.2±1.2"}, "GD": {"77.6±1.6"}, "ADP": {"80.4±1.2"},
}

var coil20 = map[string][]string{
	"KNN":     {"84.76±1.75", "91.86±1.23", "93.83±1.26", "94.89±1.38", "96.13±0.69", "96.67±0.44"},
	"L1":      {"78.01±3.56", "87.07±2.32", "91.11±1.73", "93.50±1.03", "94.46±0.88", "96.00±0.92"},
	"SPG":     {"77.15±5.40", "88.62±4.80", "91.88±3.02", "93.56±2.50", "94.79±2.44", "95.93±1.81"},
	"NNLRS":   {"83.46±2.62", "91.20±1.89", "93.60±2.21", "94.16±2.00", "95.32±2.06", "95.50±1.75"},
	"SSNNLRS": {"85.02±3.36", "92.51±2.11", "93.91±2.05", "94.73±1.94", "95.89±1.76", "96.21±1.58"},
	"RDP":     {"87.00±3.54", "95.00±1.32", "96.81±1.04", "98.55±0.37", "98.41±0.49", "98.84±0.46"},
	"SRD":     {"89.72±2.80", "96.12±1.52", "97.40±1.16", "99.01±0.49", "98.90±0.52", "99.23±0.47"},
	"FAML":    {"90.54±2.14", "94.20±2.18", "96.80±1.41", "97.35±1.07", "98.34±0.66", "98.49±0.48"},
	"ADP1":    {"98.54±1.14", "99.04±0.37", "99.72±0.25", "99.64±0.22", "99.52±0.13", "99.71±0.09"},
	"ADP":     {"96.49±1.71", "99.08±0.55", "99.44±0.99", "99.55±0.42", "99.58±0.37", "99.80±0.10"},
}

var yaleb = map[string][]string{
	"KNN":     {"53.40±3.99", "72.89±4.03", "78.41±2.43", "80.13±1.03", "82.11±0.82", "83.86±1.71"},
	"L1":      {"47.34±2.01", "79.76±1.35", "84.90±1.87", "86.97±3.94", "89.98±4.08", "94.43±1.69"},
	"SPG":     {"50.87±2.69", "78.20±3.21", "88.40±1.19", "90.57±2.55", "91.37±1.50", "93.57±1.09"},
	"NNLRS":   {"68.96±3.94", "84.47±2.68", "88.90±1.87", "92.66±2.01", "93.52±2.12", "94.16±1.19"},
	"SSNNLRS": {"75.42±3.12", "91.51±2.39", "92.91±2.15", "93.73±1.64", "95.77±1.47", "96.21±1.28"},
	"RDP":     {"72.26±8.46", "93.44±0.85", "95.02±0.58", "95.74±0.37", "96.47±0.52", "96.96±0.73"},
	"SRD":     {"76.26±8.66", "94.61±1.19", "96.09±0.77", "96.65±0.53", "97.07±0.60", "97.57±0.51"},
	"FAML":    {"86.22±3.85", "94.55±0.98", "95.88±1.03", "96.78±1.35", "97.37±1.10", "98.54±0.60"},
	"ADP1":    {"87.54±4.14", "94.44±1.02", "95.90±0.89", "96.52±0.71", "96.76±0.73", "97.12±0.66"},
	"ADP":     {"91.42±3.89", "96.10±0.74", "97.37±0.55", "97.44±0.43", "97.61±0.45", "97.85±0.48"},
}
