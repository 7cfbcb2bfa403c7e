"""Uses the client that openapi-generator makes for Python. Prints what it got as JSON."""

import json
import sys
from datetime import datetime
from uuid import UUID

import roomscribe

world = json.loads(sys.argv[1])
moment = datetime.fromisoformat
configuration = roomscribe.Configuration(host=world["apiUrl"], access_token=world["token"])
with roomscribe.ApiClient(configuration) as client:
    transcriptions = roomscribe.TranscriptionsApi(client)
    insights = roomscribe.InsightsApi(client)

    listed, cursor, first = [], None, True
    while first or cursor is not None:
        page = transcriptions.list_transcriptions(
            start_date_from=moment(world["from"]), start_date_to=moment(world["to"]), sort_by="startDate:asc",
            limit=1, cursor=cursor,
        )
        listed += [str(each.transcription_id) for each in page.results]
        cursor, first = page.cursor, False

    ready = UUID(world["ready"])
    got = transcriptions.get_transcription(ready)
    link = transcriptions.create_access_link(ready, valid_for_seconds=60, format="vtt")
    created = transcriptions.create_transcription_with_http_info(
        roomscribe.CreateTranscription(recordingId=UUID(world["recordingId"])), idempotency_key="python"
    )
    corrected = transcriptions.correct_speaker(
        UUID(world["spoken"]), "Speaker 1", roomscribe.CorrectSpeaker(displayName="Ada")
    )
    try:
        transcriptions.create_transcription(roomscribe.CreateTranscription(recordingId=UUID(int=1)))
        refused = None
    except roomscribe.ApiException as error:
        refused = error.data.code
    try:
        transcriptions.list_transcriptions(cursor="wrong")
        issue = None
    except roomscribe.ApiException as error:
        issue = error.data.actual_instance.issues[0].path

    rooms = insights.list_room_insights(created_at_from=moment(world["from"]), created_at_to=moment(world["to"]))
    sessions = insights.list_room_session_insights(
        world["roomName"], started_at_from=moment(world["from"]), started_at_to=moment(world["to"])
    )
    session = sessions.results[0].room_session_id
    people = insights.list_participants(session, limit=1)
    others = insights.list_participants(session, limit=1, cursor=people.cursor)
    details = insights.get_participant(
        session, people.results[0].participant_id, var_from=moment(world["from"]), to=moment(world["to"])
    )
    unwanted = roomscribe.BulkDeleteTranscriptions(transcriptionIds=[UUID(world["unwanted"])])
    transcriptions.bulk_delete_transcriptions(unwanted)

print(json.dumps({
    "listed": listed,
    "got": [got.state, got.duration_in_seconds, int(got.start_date.timestamp() * 1000)],
    "link": link.access_link,
    "expires": link.expires,
    "created": created.status_code,
    "corrected": [corrected.display_name, corrected.source],
    "refused": refused,
    "issue": issue,
    "rooms": [[each.room_name, float(each.total_participant_minutes), each.rating] for each in rooms.results],
    "sessions": [[str(each.room_session_id), each.rating] for each in sessions.results],
    "people": [each.participant_id for each in people.results + others.results],
    "samples": details[0].samples.packet_loss_send,
}))
