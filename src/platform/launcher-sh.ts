import { LIMITS } from '../contract/limits';

/** `'…'` for a POSIX shell. Any text but NUL. */
export function shQuote(text: string): string {
  return `'${text.replace(/'/g, `'\\''`)}'`;
}

/** How long the steps of a run may take: together less than the deadline of its event. */
interface Steps {
  /** Seconds, for `sleep` and `curl`. */
  read: string;
  ask: string;
  /** Milliseconds: what the offline answer may take where no clock can be read without starting a program. */
  offline: number;
  /** Milliseconds from the first line to the end. */
  total: number;
}

const reserveMs = 30;

function steps(deadlineMs: number, readMs: number, askMs: number): Steps {
  const total = deadlineMs - reserveMs;
  const seconds = (ms: number) => (ms / 1000).toString();
  return { read: seconds(readMs), ask: seconds(askMs), offline: total - readMs - askMs, total };
}

function assignments({ read, ask, offline, total }: Steps): string {
  return `read_s=${read} ask_s=${ask} left=${offline} total=${total}`;
}

const prompt = steps(LIMITS.promptDeadlineMs, 400, LIMITS.promptLeaderMs);
const other = steps(LIMITS.hookDeadlineMs, 180, 150);

/**
 * The launcher for POSIX shells (dash, bash 3.2 and later, busybox). It asks the leader through `curl`, which is
 * three times faster than starting a runtime; where that fails it hands what it holds to the runtime through a
 * pipe. The payload stays in memory: nothing unscrubbed is written. A shell variable drops NUL bytes, which
 * JSON text cannot contain. The key is read by `curl` from a file, so that no process list shows it.
 */
export function shLauncher(storageDir: string): string {
  return `#!/bin/sh
# kiro-learn-ide: written by kiro-learn. Hands one hook run to the window that leads. Always exits 0, in time.
exec 2>/dev/null
trap 'exit 0' EXIT HUP INT TERM
LC_ALL=C
export LC_ALL
umask 077
storage=${shQuote(storageDir)}
clock() {
  ms= uptime=
  case \${EPOCHREALTIME-x} in
  *[!0-9.,]*)
    read -r uptime idle </proc/uptime && ms=$((\${uptime%.*} * 1000 + 1\${uptime#*.} * 10 - 1000))
    ;;
  *)
    ms=\${EPOCHREALTIME%[.,]*}\${EPOCHREALTIME#*[.,]}
    ms=\${ms%???}
    ;;
  esac
}
clock
begun=$ms
event=\${1-}
case $event in
'' | *[!A-Za-z]*) event=_ ;;
esac
case $event in
UserPromptSubmit | userPromptSubmit | promptSubmit | prompt)
  ${assignments(prompt)} ;;
*)
  ${assignments(other)} ;;
esac

find_runtime() {
  bundle= runtime=
  while IFS=' ' read -r kind value; do
    case $kind in
    bundle) bundle=$value ;;
    node | electron)
      if [ -z "$runtime" ] && [ -x "$value" ]; then
        runtime=$value
        [ "$kind" = node ] || export ELECTRON_RUN_AS_NODE=1
      fi
      ;;
    esac
  done <"$storage/bin/hook-runtime"
  unset NODE_OPTIONS
  [ -n "$runtime" ] && [ -r "$bundle/hook.js" ]
}

if ! command -v curl >/dev/null || ! read -r mark boot socket <"$storage/leader.curl"; then
  find_runtime || exit 0
  exec "$runtime" "$bundle/hook.js" "$event"
  exit 0
fi

case $boot in
'' | *[!0-9]* | ????????????????*) boot=0 ;;
esac
if [ -n "\${USER_PROMPT-}" ]; then
  channel=env payload=$USER_PROMPT
else
  channel=stdin
  exec 3<&0 </dev/null
  payload=$(
    cat <&3 &
    reader=$!
    { sleep "$read_s" || sleep 1; kill "$reader"; } >/dev/null 3<&- &
    timer=$!
    wait "$reader"
    kill "$timer"
  )
  exec 3<&-
  [ -n "$payload" ] || exit 0
fi

if [ -n "$ms" ] && [ -z "$uptime" ]; then
  now=$ms
elif [ -n "$ms" ] && [ "$boot" != 0 ]; then
  now=$((boot + ms))
else
  now=$(date +%s%N)
  case $now in
  '' | *[!0-9]*) now=$(date +%s)000 ;;
  *) now=\${now%??????} ;;
  esac
fi
read -r id </proc/sys/kernel/random/uuid || id=$(printf %s $(od -An -N12 -tx4 /dev/urandom))
key=$now-\${id:-$$$PPID}
host=\${TERM_PROGRAM-}\${VSCODE_PID:+ window:$VSCODE_PID}
frame() { printf '1\\0%s\\0%s\\0%s\\0%s\\0%s' "$channel" "\${PWD:-/}" "$key" "$host" "$payload"; }

mode=frame
folder=\${socket%/*}
if [ -S "$socket" ] && [ -O "$folder" ] && [ ! -L "$folder" ]; then
  answer=$(frame | curl -q -K "$storage/leader.curl" -m "$ask_s" --data-binary @- "http://localhost/v1/hooks/$event")
  case $? in
  0)
    printf %s "$answer"
    exit 0
    ;;
  28) mode=offline ;;
  esac
fi

find_runtime || {
  [ -d "$storage/spool" ] && printf r >>"$storage/spool/dropped"
  exit 0
}
clock
[ -z "$begun" ] || [ -z "$ms" ] || left=$((total - ms + begun))
[ "$left" -gt 20 ] || left=20
fraction=$((1000 + left % 1000))
# cat alone holds the agent's pipe: when time is up it goes, and the runtime still writes what must be kept.
frame | "$runtime" "$bundle/hook.js" "$event" "$mode" "$left" | cat &
child=$!
{ sleep "$((left / 1000)).\${fraction#1}" || sleep 1; kill "$child"; } >/dev/null &
timer=$!
wait "$child"
kill "$timer"
exit 0
`;
}

/** Starts a program of the bundle in the probed runtime; the agent talks to it on stdin and stdout. */
export function shProgramLauncher(storageDir: string, program: string): string {
  return `#!/bin/sh
# kiro-learn-ide: written by kiro-learn.
bundle= runtime=
while IFS=' ' read -r kind value; do
  case $kind in
  bundle) bundle=$value ;;
  node | electron)
    if [ -z "$runtime" ] && [ -x "$value" ]; then
      runtime=$value
      [ "$kind" = node ] || export ELECTRON_RUN_AS_NODE=1
    fi
    ;;
  esac
done <${shQuote(`${storageDir}/bin/hook-runtime`)}
unset NODE_OPTIONS
[ -n "$runtime" ] && [ -r "$bundle/${program}" ] || exit 0
exec "$runtime" "$bundle/${program}" "$@"
`;
}
