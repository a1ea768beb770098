package report

// SVG draws the latencies.
func (r Report) SVG() string { return "" }
