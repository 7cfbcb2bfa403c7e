import type { NewConnection, Setup } from '../setup.ts';

/** What to write to the configuration of Prosody, and of the script for recordings (docs/platforms/jitsi.md). */
export const setup: Setup = ({ url, settings, recordings, secret = '<the secret of the connection>' }) =>
  `Add to /etc/prosody/conf.d/<your domain>.cfg.lua, with your own domain:

  Component "esync.meet.example.com" "event_sync_component"
      muc_component = "conference.meet.example.com"
      breakout_component = "breakout.meet.example.com"
      api_prefix = "${url}"
      api_headers = { ["Authorization"] = "Bearer ${secret}" }
      include_speaker_stats = true

Copy examples/jitsi/mod_roomscribe_meeting_id.lua to Prosody's plugins. In the same file, add to modules_enabled of the components
conference.meet.example.com and breakout.meet.example.com, next to "muc_meeting_id":

      "roomscribe_meeting_id";

Then restart Prosody. For recordings, make examples/jitsi/finalize.sh the finalize script of Jibri or of the multitrack recorder, and write to
/etc/roomscribe-finalize.conf, which only the recorder's user may read:

  ROOMSCRIBE_URL='${url}'
  ROOMSCRIBE_SECRET='${secret}'
${placeOf(settings.bucket, recordings)}`;

/** Roomscribe takes recordings from two places: the bucket of the setting, or the folder of the organization in its own bucket. */
function placeOf(own: string | undefined, { bucket, folder }: NewConnection['recordings']): string {
  if (own !== undefined) return `  ROOMSCRIBE_BUCKET='${own}'`;
  return `  ROOMSCRIBE_BUCKET='${bucket}'
  ROOMSCRIBE_PREFIX='${folder.replace(/\/$/, '')}'`;
}
