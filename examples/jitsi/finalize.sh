#!/bin/sh
# Uploads a finished recording of Jitsi to S3, and tells Roomscribe about it. It needs the AWS CLI, curl and GNU coreutils.
#
#   Jibri calls                     finalize.sh <directory of the recording>
#   The multitrack recorder calls   finalize.sh <meeting id> <directory> <format>
#
# Settings, from /etc/roomscribe-finalize.conf (lines of NAME='value') or from the environment:
#   ROOMSCRIBE_URL      the address of the platform connection
#   ROOMSCRIBE_SECRET   its secret
#   ROOMSCRIBE_BUCKET   a bucket that Roomscribe may read
#   ROOMSCRIBE_PREFIX   begins every key. Default: recordings
#   ROOMSCRIBE_RETRIES  how often a failed post is repeated. Default: 7, which takes about two minutes
#
# Exit codes: 2 wrong settings or arguments, 3 no recording, 4 the upload failed, 5 the post failed.
# Running it twice is safe: the same file makes the same recording. The script deletes nothing.
set -u

fail() {
  code=$1
  shift
  printf 'roomscribe-finalize: %s\n' "$*" >&2
  exit "$code"
}

conf=${ROOMSCRIBE_CONF:-/etc/roomscribe-finalize.conf}
if [ -e "$conf" ]; then
  [ -r "$conf" ] || fail 2 "$conf cannot be read by $(id -un)."
  # shellcheck source=/dev/null
  . "$conf"
fi
[ -n "${ROOMSCRIBE_URL:-}" ] || fail 2 "ROOMSCRIBE_URL is missing."
[ -n "${ROOMSCRIBE_SECRET:-}" ] || fail 2 "ROOMSCRIBE_SECRET is missing."
[ -n "${ROOMSCRIBE_BUCKET:-}" ] || fail 2 "ROOMSCRIBE_BUCKET is missing."

case $# in
  1) meeting='' dir=$1 ;;
  3) meeting=$1 dir=$2 ;;
  *) fail 2 "Usage: finalize.sh <directory>, or finalize.sh <meeting id> <directory> <format>" ;;
esac
case $dir in -*) dir=./$dir ;; esac
[ -d "$dir" ] || fail 3 "$dir is no directory."

# A text as the content of a JSON string. Control characters were removed before.
json() { printf '%s' "$1" | sed 's/[\\"]/\\&/g'; }
clean() { printf '%s' "$1" | LC_ALL=C tr -d '\000-\037\177'; }

# The room as Prosody names it, from the URL of the meeting: the path <room>, or <tenant>/<room>. The URL stays escaped for JSON.
room_of_metadata() {
  [ -r "$dir/metadata.json" ] || return 0
  path=$(tr -d '\n' <"$dir/metadata.json" |
    sed -n 's/.*"meeting_url"[[:space:]]*:[[:space:]]*"\(\([^"\\]\|\\.\)*\)".*/\1/p' |
    sed -e 's|\\/|/|g' -e 's|[?#].*||' -e 's|^[A-Za-z]*://[^/]*||' -e 's|^/*||' -e 's|/*$||')
  case $path in
    */*/*) printf '%s' "${path##*/}" ;;
    */*) printf '[%s]%s' "${path%%/*}" "${path#*/}" ;;
    *) printf '%s' "$path" ;;
  esac
}

# The second in which the recording began: Jibri writes it into the name, in local time. Otherwise the birth of the file.
start_of() {
  stamp=$(printf '%s' "$1" | sed -n 's/.*_\([0-9]\{4\}-[0-9][0-9]-[0-9][0-9]\)-\([0-9][0-9]\)-\([0-9][0-9]\)-\([0-9][0-9]\)\.[^.]*$/\1 \2:\3:\4/p')
  if [ -n "$stamp" ] && date -d "$stamp" +%s 2>/dev/null; then return; fi
  stat -c %W -- "$1"
}

publish() {
  file=$1
  name=$(clean "${file##*/}")
  end=$(stat -c %Y -- "$file") || fail 3 "$file cannot be read."
  start=$(start_of "$file")
  case $start in '' | 0 | *[!0-9]*) start=$end ;; esac
  [ "$start" -le "$end" ] || start=$end

  if [ -n "$meeting" ]; then
    folder=$(clean "$meeting")
    subject="\"meeting_id\":\"$(json "$folder")\""
  else
    folder=$(cd -- "$dir" && pwd) && folder=$(clean "${folder##*/}")
    room=$(room_of_metadata)
    [ -n "$room" ] || room=$(json "$(printf '%s' "$name" | sed 's/_[-0-9]*\.[^.]*$//')")
    subject="\"room_name\":\"$room\""
  fi
  key="${ROOMSCRIBE_PREFIX:-recordings}/$folder/$name"

  aws s3 cp --only-show-errors "$file" "s3://$ROOMSCRIBE_BUCKET/$key" >&2 ||
    fail 4 "$file could not be uploaded to s3://$ROOMSCRIBE_BUCKET/$key. Run the script again."

  body="{\"event_name\":\"roomscribe-recording-finished\",$subject,\"start\":$start,\"end\":$end"
  body="$body,\"bucket\":\"$(json "$ROOMSCRIBE_BUCKET")\",\"key\":\"$(json "$key")\"}"
  # The secret goes in by the standard input, so that the list of processes does not show it.
  status=$(printf 'header = "Authorization: Bearer %s"\n' "$ROOMSCRIBE_SECRET" |
    curl --config - --silent --show-error --output /dev/null --write-out '%{http_code}' --max-time 20 \
      --retry "${ROOMSCRIBE_RETRIES:-7}" --retry-connrefused \
      --header 'Content-Type: application/json' --data-binary "$body" "$ROOMSCRIBE_URL") ||
    fail 5 "$key is uploaded, but Roomscribe could not be reached. Run the script again."
  case $status in
    2??) printf 'roomscribe-finalize: %s is published.\n' "$key" ;;
    401) fail 5 "$key is uploaded, but Roomscribe refused the secret (401). Check ROOMSCRIBE_URL and ROOMSCRIBE_SECRET." ;;
    *) fail 5 "$key is uploaded, but Roomscribe answered $status. Run the script again." ;;
  esac
}

found=''
for file in "$dir"/*.mp4 "$dir"/*.mkv "$dir"/*.webm "$dir"/*.mka; do
  [ -f "$file" ] || continue
  found=yes
  publish "$file"
done
[ -n "$found" ] || fail 3 "$dir has no recording (.mp4, .mkv, .webm or .mka)."
