package main

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/web"
)

// metrics are the house's numbers for Prometheus. The rooms count; this says
// under which names.
type metrics struct {
	registry *prometheus.Registry
	bids     *prometheus.CounterVec
	latency  prometheus.Histogram
	lots     prometheus.Counter
	lateness prometheus.Histogram
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		bids: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "rostrum_bids_total", Help: "Judged bids by verdict."}, []string{"verdict"}),
		latency: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "rostrum_bid_seconds", Help: "Time from an offer's arrival at the store to its durable verdict.",
			Buckets: prometheus.ExponentialBuckets(0.001, 2, 14)}), // 1 ms to 8 s
		lots: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "rostrum_lots_closed_total", Help: "Lots closed by this instance."}),
		lateness: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "rostrum_closer_lag_seconds", Help: "Time from a lot's end to its closing.",
			Buckets: prometheus.ExponentialBuckets(0.005, 2, 13)}), // 5 ms to 20 s
	}
	m.registry.MustRegister(m.bids, m.latency, m.lots, m.lateness,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// judged counts a judged bid.
func (m *metrics) judged(verdict auction.Verdict, took time.Duration) {
	m.bids.WithLabelValues(string(verdict)).Inc()
	m.latency.Observe(took.Seconds())
}

// closed counts a closed lot.
func (m *metrics) closed(lateness time.Duration) {
	m.lots.Inc()
	m.lateness.Observe(lateness.Seconds())
}

// watch adds the numbers that are asked for when Prometheus asks.
func (m *metrics) watch(s *store.Store, hub *web.Hub[auction.State]) {
	gauge := func(name, help string, value func() float64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
	}
	gauge("rostrum_streams_open", "Live streams open now.", func() float64 { return float64(hub.Stats().Streams) })
	gauge("rostrum_auctions_watched", "Auctions that some stream watches.", func() float64 { return float64(hub.Stats().Keys) })
	gauge("rostrum_bids_waiting", "Bids that wait to be judged.", func() float64 { return float64(s.Waiting()) })
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "rostrum_frames_sent_total", Help: "Live frames sent to streams."}, func() float64 { return float64(hub.Stats().Frames) }))
	gauge("rostrum_database_connections_used", "Database connections in use.", func() float64 { used, _ := s.Connections(); return float64(used) })
	gauge("rostrum_database_connections_max", "Database connections allowed.", func() float64 { _, most := s.Connections(); return float64(most) })
	m.registry.MustRegister(&backlog{s, prometheus.NewDesc("rostrum_outbox_backlog", "Events that wait for delivery.", nil, nil)})
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}

// backlog asks the database; where it does not answer the number is left out.
type backlog struct {
	store *store.Store
	desc  *prometheus.Desc
}

// Describe names the one number.
func (b *backlog) Describe(ch chan<- *prometheus.Desc) { ch <- b.desc }

// Collect asks for it.
func (b *backlog) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if waiting, err := b.store.Backlog(ctx); err == nil {
		ch <- prometheus.MustNewConstMetric(b.desc, prometheus.GaugeValue, float64(waiting))
	}
}
