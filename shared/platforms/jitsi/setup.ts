import type { Setup } from '../setup.ts';

/** What to write to the configuration of Prosody (docs/platforms/jitsi.md). */
export const setup: Setup = ({
  url,
  secret,
}) => `Add to /etc/prosody/conf.d/<your domain>.cfg.lua, with your own domain:

  Component "esync.meet.example.com" "event_sync_component"
      muc_component = "conference.meet.example.com"
      breakout_component = "breakout.meet.example.com"
      api_prefix = "${url}"
      api_headers = { ["Authorization"] = "Bearer ${secret ?? '<the secret of the connection>'}" }
      include_speaker_stats = true`;
