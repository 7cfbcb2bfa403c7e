#!/bin/sh
# Uploads a finished recording of Jitsi to S3, and tells Roomscribe about it. It needs the AWS CLI, curl and GNU coreutils. For the multitrack
# recorder it also needs ffmpeg with ffprobe: the script splits recording.mka into a file for each participant, without encoding again.
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
# Exit codes: 2 wrong settings or arguments, or no ffmpeg, 3 no recording that can be read, 4 the upload failed, 5 the post failed.
# Running it twice is safe: the same file makes the same recording. The script deletes nothing but its own temporary files.
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

# What the file belongs to: the meeting, or the room. The folder of the recording begins the key.
folder=$(cd -- "$dir" && pwd) && folder=$(clean "${folder##*/}")
subject_of() {
  if [ -n "$meeting" ]; then
    printf '"meeting_id":"%s"' "$(json "$(clean "$meeting")")"
  else
    room=$(room_of_metadata)
    [ -n "$room" ] || room=$(json "$(printf '%s' "$1" | sed 's/_[-0-9]*\.[^.]*$//')")
    printf '"room_name":"%s"' "$room"
  fi
}

upload() {
  aws s3 cp --only-show-errors "$1" "s3://$ROOMSCRIBE_BUCKET/$2" >&2 ||
    fail 4 "$1 could not be uploaded to s3://$ROOMSCRIBE_BUCKET/$2. Run the script again."
}

# Tells Roomscribe of a recording: its key, its start and end, and more fields.
post() {
  body="{\"event_name\":\"roomscribe-recording-finished\",$(subject_of "$name"),\"start\":$2,\"end\":$3"
  body="$body,\"bucket\":\"$(json "$ROOMSCRIBE_BUCKET")\",\"key\":\"$(json "$1")\"$4}"
  # The secret goes in by the standard input, so that the list of processes does not show it.
  status=$(printf 'header = "Authorization: Bearer %s"\n' "$ROOMSCRIBE_SECRET" |
    curl --config - --silent --show-error --output /dev/null --write-out '%{http_code}' --max-time 20 \
      --retry "${ROOMSCRIBE_RETRIES:-7}" --retry-connrefused \
      --header 'Content-Type: application/json' --data-binary "$body" "$ROOMSCRIBE_URL") ||
    fail 5 "$1 is uploaded, but Roomscribe could not be reached. Run the script again."
  case $status in
    2??) printf 'roomscribe-finalize: %s is published.\n' "$1" ;;
    401) fail 5 "$1 is uploaded, but Roomscribe refused the secret (401). Check ROOMSCRIBE_URL and ROOMSCRIBE_SECRET." ;;
    *) fail 5 "$1 is uploaded, but Roomscribe answered $status. Run the script again." ;;
  esac
}

publish() {
  file=$1
  name=$(clean "${file##*/}")
  end=$(stat -c %Y -- "$file") || fail 3 "$file cannot be read."
  start=$(start_of "$file")
  case $start in '' | 0 | *[!0-9]*) start=$end ;; esac
  [ "$start" -le "$end" ] || start=$end
  key="${ROOMSCRIBE_PREFIX:-recordings}/$folder/$name"
  upload "$file" "$key"
  post "$key" "$start" "$end" ''
}

# The tracks of a file that name an endpoint, by their tag or by their name <endpoint>-<ssrc>. A line for each: index, endpoint, and the seconds
# of the first and the last packet.
tracks_of() {
  streams=$(ffprobe -v error -select_streams a -show_entries stream=index:stream_tags "$1") || return 1
  {
    printf '%s\n' "$streams"
    ffprobe -v error -select_streams a -show_entries packet=stream_index,pts_time -of csv=p=0 "$1"
  } | awk '
    { value = $0; sub(/^[^=]*=/, "", value) }
    /^index=/ { index_ = value }
    tolower($0) ~ /^tag:endpoint_id=/ { endpoint[index_] = value }
    tolower($0) ~ /^tag:title=/ { sub(/-[^-]*$/, "", value); title[index_] = value }
    /^[0-9]+,-?[0-9.]+/ {
      split($0, packet, ",")
      if (!(packet[1] in first)) first[packet[1]] = packet[2]
      last[packet[1]] = packet[2]
    }
    END {
      for (each in first) {
        id = endpoint[each] == "" ? title[each] : endpoint[each]
        gsub(/[^A-Za-z0-9_.-]/, "", id)
        if (id != "") print each, id, first[each], last[each]
      }
    }' | sort -n
}

# A recording of the multitrack recorder begins when its file is made. It cannot be longer than from then to the last change.
publish_tracks() {
  file=$1
  name=$(clean "${file##*/}")
  begun=$(stat -c '%.3W %.3Y' -- "$file") || fail 3 "$file cannot be read."
  times=$(printf '%s\n%s\n' "$begun" "$2" | awk '
    NR == 1 { birth = $1 + 0; end = $2; next }
    $4 > length_ { length_ = $4 }
    END { printf "%.3f %.3f", (birth > 0 && birth + length_ <= end ? birth : end - length_), end }')
  start=${times% *}
  work=$(mktemp -d) || fail 3 "A temporary folder is needed."
  trap 'rm -rf -- "$work"' EXIT
  trap 'exit 1' INT TERM HUP
  set --
  for index in $(printf '%s\n' "$tracks" | cut -d' ' -f1); do
    set -- "$@" -map "0:$index" -c copy -avoid_negative_ts make_zero "$work/$index.webm"
  done
  ffmpeg -nostdin -loglevel error -y -i "$file" "$@" || fail 3 "$file cannot be split by ffmpeg."

  key="${ROOMSCRIBE_PREFIX:-recordings}/$folder/$name"
  list=''
  while read -r index endpoint first last; do
    track="${key%.*}-$index-$endpoint.webm"
    upload "$work/$index.webm" "$track" </dev/null
    dates=$(awk -v "start=$start" -v "first=$first" -v "last=$last" 'BEGIN { printf "\"start\":%.3f,\"end\":%.3f", start + first, start + last }')
    list="$list,{\"endpoint_id\":\"$endpoint\",\"key\":\"$(json "$track")\",$dates}"
  done <<EOF_TRACKS
$tracks
EOF_TRACKS
  rm -rf -- "$work"
  post "$key" "$start" "${times#* }" ",\"tracks\":[${list#,}]"
}

found=''
for file in "$dir"/*.mp4 "$dir"/*.mkv "$dir"/*.webm "$dir"/*.mka; do
  [ -f "$file" ] || continue
  found=yes
  tracks=''
  case $file in
    *.mka)
      command -v ffprobe >/dev/null && command -v ffmpeg >/dev/null || fail 2 "ffmpeg is missing, which splits $file."
      tracks=$(tracks_of "$file") || fail 3 "$file cannot be read by ffprobe."
      ;;
  esac
  if [ -n "$tracks" ]; then publish_tracks "$file" "$tracks"; else publish "$file"; fi
done
[ -n "$found" ] || fail 3 "$dir has no recording (.mp4, .mkv, .webm or .mka)."
