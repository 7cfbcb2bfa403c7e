-- Adds the id of the meeting to every event of event_sync, so that each event names its session.
-- Enable it with muc_meeting_id on both MUC components. event_sync sets the table at priority -2 and reads it at -3.
module:hook("muc-room-created", function (event)
    local data = event.room._data;
    if data.event_sync_extra_payload and data.meetingId then
        data.event_sync_extra_payload.meeting_id = data.meetingId;
    end
end, -2.5);
