package wire_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"rostrum/cmd/bench/wire"
)

// A house that costs nearly nothing: what is left is what a request costs here.
func answering(b *testing.B) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { listener.Close() })
	answer := []byte("HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nX-Content-Type-Options: nosniff\r\n" +
		"Content-Length: 600\r\n\r\n" + strings.Repeat("x", 600))
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				for in := make([]byte, 4096); ; { // each request comes in one piece
					if _, err := conn.Read(in); err != nil {
						return
					}
					if _, err := conn.Write(answer); err != nil {
						return
					}
				}
			}()
		}
	}()
	return "http://" + listener.Addr().String()
}

const offer = `{"amount":"1234.56"}`

func BenchmarkABidByThisClient(b *testing.B) {
	conn, err := wire.New(answering(b), moment)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	b.ReportAllocs()
	for b.Loop() {
		if status, body, err := conn.Do("POST", "/auctions/1/bids", "Accept: application/json\r\nAuthorization: Bearer x\r\n", []byte(offer)); err != nil || status != 201 || len(body) != 600 {
			b.Fatal(status, len(body), err)
		}
	}
}

func BenchmarkABidByTheStandardLibrary(b *testing.B) {
	url := answering(b) + "/auctions/1/bids"
	client := &http.Client{Timeout: moment}
	defer client.CloseIdleConnections()
	b.ReportAllocs()
	for b.Loop() {
		request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader([]byte(offer)))
		if err != nil {
			b.Fatal(err)
		}
		request.Header.Set("Accept", "application/json")
		request.Header.Set("Authorization", "Bearer x")
		request.Header.Set("Content-Type", "application/json")
		response, err := client.Do(request)
		if err != nil {
			b.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != 201 || len(body) != 600 {
			b.Fatal(response.StatusCode, len(body), err)
		}
	}
}
