// Gives the agent a task and prints its answer while it arrives; standard library alone.
//
//	NETA_URL=http://127.0.0.1:7001 NETA_API_KEY=... go run ask.go "list the files"
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"
)

type event struct {
	Type string `json:"type"`
	Data struct {
		Text   string `json:"text"`
		Status string `json:"status"`
	} `json:"data"`
}

func address() string {
	if url := os.Getenv("NETA_URL"); url != "" {
		return url
	}
	return "http://127.0.0.1:7001"
}

func call(method, path string, body []byte, headers map[string]string) (*http.Response, error) {
	request, err := http.NewRequest(method, address()+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("content-type", "application/json")
	if key := os.Getenv("NETA_API_KEY"); key != "" {
		request.Header.Set("authorization", "Bearer "+key)
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	return http.DefaultClient.Do(request)
}

// follow prints the text of a run and returns its status. A broken connection continues behind the last event.
func follow(runID string) string {
	lastID := "0"
	for tries := 0; tries < 5; tries++ {
		headers := map[string]string{"accept": "text/event-stream", "last-event-id": lastID}
		response, err := call("GET", "/api/v1/runs/"+runID+"/events", nil, headers)
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		lines := bufio.NewScanner(response.Body)
		lines.Buffer(nil, 16*1024*1024)
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			if name == "id" {
				lastID, tries = value, 0
			}
			if name != "data" {
				continue
			}
			var got event
			if json.Unmarshal([]byte(value), &got) != nil {
				continue
			}
			if got.Type == "text_delta" {
				fmt.Print(got.Data.Text)
			}
			if got.Type == "run_end" {
				return got.Data.Status
			}
		}
		response.Body.Close()
	}
	return "unreachable"
}

func main() {
	body, _ := json.Marshal(map[string]string{"input": strings.Join(os.Args[1:], " ")})
	// A repetition with the same key gives the same run.
	key := fmt.Sprintf("ask-%d-%d", os.Getpid(), time.Now().UnixNano())
	response, err := call("POST", "/api/v1/runs", body, map[string]string{"prefer": "respond-async", "idempotency-key": key})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var started struct {
		RunID string `json:"runId"`
		Error struct{ Code, Message string }
	}
	json.NewDecoder(response.Body).Decode(&started)
	if started.RunID == "" {
		fmt.Fprintln(os.Stderr, started.Error.Code+": "+started.Error.Message)
		os.Exit(1)
	}
	status := follow(started.RunID)
	fmt.Println()
	if status != "completed" {
		os.Exit(1)
	}
}
