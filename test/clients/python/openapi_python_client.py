"""Uses the client that openapi-python-client makes. Prints what it got as JSON."""

import json
import sys
from datetime import datetime
from uuid import UUID

from roomscribe import AuthenticatedClient
from roomscribe.api.insights import get_participant, list_participants, list_room_insights, list_room_session_insights
from roomscribe.api.transcriptions import (
    bulk_delete_transcriptions,
    correct_speaker,
    create_access_link,
    create_transcription,
    get_transcription,
    list_transcriptions,
)
from roomscribe.models import (
    BulkDeleteTranscriptions,
    CorrectSpeaker,
    CreateAccessLinkFormat,
    CreateTranscription,
    ListTranscriptionsSortBy,
)
from roomscribe.types import UNSET

world = json.loads(sys.argv[1])
moment = datetime.fromisoformat
client = AuthenticatedClient(base_url=world["apiUrl"], token=world["token"])

listed, cursor = [], UNSET
while cursor is not None:
    page = list_transcriptions.sync(
        client=client, start_date_from=moment(world["from"]), start_date_to=moment(world["to"]), limit=1,
        sort_by=ListTranscriptionsSortBy.STARTDATEASC, cursor=cursor,
    )
    listed += [str(each.transcription_id) for each in page.results]
    cursor = page.cursor

ready = UUID(world["ready"])
got = get_transcription.sync(ready, client=client)
link = create_access_link.sync(ready, client=client, valid_for_seconds=60, format_=CreateAccessLinkFormat.VTT)
body = CreateTranscription(recording_id=UUID(world["recordingId"]))
created = create_transcription.sync_detailed(client=client, body=body, idempotency_key="python")
corrected = correct_speaker.sync(
    UUID(world["spoken"]), "Speaker 1", client=client, body=CorrectSpeaker(display_name="Ada")
)
refused = create_transcription.sync(client=client, body=CreateTranscription(recording_id=UUID(int=1)))
wrong = list_transcriptions.sync(client=client, cursor="wrong")
rooms = list_room_insights.sync(
    client=client, created_atfrom=moment(world["from"]), created_atto=moment(world["to"])
)
sessions = list_room_session_insights.sync(
    client=client, room_name=world["roomName"],
    started_at_from=moment(world["from"]), started_at_to=moment(world["to"]),
)
session = sessions.results[0].room_session_id
people = list_participants.sync(client=client, room_session_id=session, limit=1)
others = list_participants.sync(client=client, room_session_id=session, limit=1, cursor=people.cursor)
details = get_participant.sync(
    client=client, room_session_id=session, participant_id=people.results[0].participant_id,
    from_=moment(world["from"]), to=moment(world["to"]),
)
deleted = bulk_delete_transcriptions.sync_detailed(
    client=client, body=BulkDeleteTranscriptions(transcription_ids=[UUID(world["unwanted"])])
)
assert deleted.status_code == 204, deleted

print(json.dumps({
    "listed": listed,
    "got": [got.state, got.duration_in_seconds, int(got.start_date.timestamp() * 1000)],
    "link": link.access_link,
    "expires": link.expires,
    "created": int(created.status_code),
    "corrected": [corrected.display_name, corrected.source],
    "refused": refused.code,
    "issue": wrong.issues[0].path,
    "rooms": [[each.room_name, each.total_participant_minutes, each.rating] for each in rooms.results],
    "sessions": [[str(each.room_session_id), each.rating] for each in sessions.results],
    "people": [each.participant_id for each in people.results + others.results],
    "samples": details[0].samples.packet_loss_send,
}))
