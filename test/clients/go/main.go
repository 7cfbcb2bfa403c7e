// Uses the client that oapi-codegen makes. Prints what it got as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/google/uuid"

	"example.com/clients/roomscribe"
)

type world struct {
	ApiUrl, Token, RoomName      string
	Ready, Unwanted, RecordingId uuid.UUID
	Spoken                       uuid.UUID
	From, To                     time.Time
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	var w world
	if err := json.Unmarshal([]byte(os.Args[1]), &w); err != nil {
		panic(err)
	}
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("authorization", "Bearer "+w.Token)
		return nil
	}
	client := must(roomscribe.NewClientWithResponses(w.ApiUrl, roomscribe.WithRequestEditorFn(authorize)))
	one, key, wrongCursor := 1, "go", "wrong"

	var listed []string
	var cursor *string
	for first := true; first || cursor != nil; first = false {
		order := roomscribe.ListTranscriptionsParamsSortBy("startDate:asc")
		page := must(client.ListTranscriptionsWithResponse(ctx, &roomscribe.ListTranscriptionsParams{
			StartDateFrom: &w.From, StartDateTo: &w.To, SortBy: &order, Limit: &one, Cursor: cursor,
		})).JSON200
		for _, each := range page.Results {
			listed = append(listed, each.TranscriptionId.String())
		}
		cursor = page.Cursor
	}

	got := must(client.GetTranscriptionWithResponse(ctx, w.Ready)).JSON200
	seconds, format := 60, roomscribe.CreateAccessLinkParamsFormat("vtt")
	link := must(client.CreateAccessLinkWithResponse(ctx, w.Ready, &roomscribe.CreateAccessLinkParams{
		ValidForSeconds: &seconds, Format: &format,
	})).JSON200
	created := must(client.CreateTranscriptionWithResponse(ctx,
		&roomscribe.CreateTranscriptionParams{IdempotencyKey: &key},
		roomscribe.CreateTranscription{RecordingId: w.RecordingId}))
	name := "Ada"
	corrected := must(client.CorrectSpeakerWithResponse(ctx, w.Spoken, "Speaker 1",
		roomscribe.CorrectSpeaker{DisplayName: &name})).JSON200
	refused := must(client.CreateTranscriptionWithResponse(ctx, &roomscribe.CreateTranscriptionParams{},
		roomscribe.CreateTranscription{RecordingId: uuid.UUID{15: 1}})).JSON404
	wrong := must(client.ListTranscriptionsWithResponse(ctx, &roomscribe.ListTranscriptionsParams{Cursor: &wrongCursor}))
	var invalid roomscribe.Error
	if err := json.Unmarshal(wrong.Body, &invalid); err != nil {
		panic(err)
	}

	rooms := must(client.ListRoomInsightsWithResponse(ctx, &roomscribe.ListRoomInsightsParams{
		CreatedAtFrom: &w.From, CreatedAtTo: &w.To,
	})).JSON200
	roomFacts := [][]any{}
	for _, each := range rooms.Results {
		roomFacts = append(roomFacts, []any{each.RoomName, each.TotalParticipantMinutes, each.Rating})
	}
	sessions := must(client.ListRoomSessionInsightsWithResponse(ctx, &roomscribe.ListRoomSessionInsightsParams{
		RoomName: w.RoomName, StartedAtFrom: &w.From, StartedAtTo: &w.To,
	})).JSON200
	sessionFacts := [][]any{}
	for _, each := range sessions.Results {
		sessionFacts = append(sessionFacts, []any{each.RoomSessionId, each.Rating})
	}
	session := sessions.Results[0].RoomSessionId
	people := must(client.ListParticipantsWithResponse(ctx, &roomscribe.ListParticipantsParams{
		RoomSessionId: &session, Limit: &one,
	})).JSON200
	others := must(client.ListParticipantsWithResponse(ctx, &roomscribe.ListParticipantsParams{
		RoomSessionId: &session, Limit: &one, Cursor: people.Cursor,
	})).JSON200
	person := people.Results[0].ParticipantId
	details := *must(client.GetParticipantWithResponse(ctx, &roomscribe.GetParticipantParams{
		RoomSessionId: session, ParticipantId: person, From: &w.From, To: &w.To,
	})).JSON200
	deleted := must(client.BulkDeleteTranscriptionsWithResponse(ctx, &roomscribe.BulkDeleteTranscriptionsParams{},
		roomscribe.BulkDeleteTranscriptions{TranscriptionIds: []uuid.UUID{w.Unwanted}}))
	if deleted.StatusCode() != http.StatusNoContent {
		panic(deleted.Status())
	}

	fmt.Println(string(must(json.Marshal(map[string]any{
		"listed":    listed,
		"got":       []any{got.State, got.DurationInSeconds, got.StartDate.UnixMilli()},
		"link":      link.AccessLink,
		"expires":   link.Expires,
		"created":   created.StatusCode(),
		"corrected": []any{corrected.DisplayName, corrected.Source},
		"refused":   refused.Code,
		"issue":     (*invalid.Issues)[0].Path,
		"rooms":     roomFacts,
		"sessions":  sessionFacts,
		"people":    []string{person, others.Results[0].ParticipantId},
		"samples":   details[0].Samples.PacketLossSend,
	}))))
}
