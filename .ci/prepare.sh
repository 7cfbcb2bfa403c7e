# Sourced by the scripts beside it: goes to the project's folder, and installs Node.js and Python where they are missing. Needs Debian (or a
# derivative). Needs neither a terminal nor an AWS account.
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CI=1 DEBIAN_FRONTEND=noninteractive

step() { printf '\n==> %s\n' "$*"; }
fail() { printf '%s: %s\n' "$0" "$*" >&2; exit 1; }
node_major() { node -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0; }

as_root() {
  if [[ $(id -u) -eq 0 ]]; then "$@"; else sudo "$@"; fi
}

# The README requires Node to be installed.
if (( $(node_major) < 20 )) || ! command -v npm >/dev/null; then
  step 'Installing Node.js and npm from Debian'
  command -v apt-get >/dev/null || fail 'Node.js 20 or newer is missing, and there is no apt-get to install it with.'
  as_root apt-get update
  as_root apt-get install -y --no-install-recommends nodejs npm
  (( $(node_major) >= 20 )) || fail "Debian's Node.js is $(node --version): install Node.js 20 or newer by hand."
fi
printf 'Node.js %s, npm %s\n' "$(node --version)" "$(npm --version)"

# The AWS emulator, and Go where it is missing, come from PyPI and run in virtual environments.
if ! python3 -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  step 'Installing Python from Debian'
  command -v apt-get >/dev/null || fail 'Python 3.11 or newer with venv is missing, and there is no apt-get to install it with.'
  as_root apt-get update
  as_root apt-get install -y --no-install-recommends python3 python3-venv
fi
