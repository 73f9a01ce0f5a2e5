import type { SetRecord } from './set';
import { OBSERVATION_TYPES } from '../../src/contract/memory-record';
import { pick, seeded } from './random';

const list = (words: string): string[] => words.trim().split(/\s+/);

/** Subjects of other projects: a game, a compiler, a synthesizer, a robot, a weather model, a genome browser. */
const SUBJECTS = list(`
shader mesh terrain skybox collider ragdoll sprite tilemap quest inventory dialogue pathfinding navmesh minimap
lexer grammar bytecode register allocator inliner closure interpreter garbage collector peephole linker symbol
oscillator filter envelope reverb sampler sequencer arpeggiator wavetable mixer plugin preset tempo midi
gripper lidar odometry encoder servo joint trajectory planner calibration imu battery docking arm camera
radar pressure humidity grid cell forecast ensemble station precipitation wind gust raster isobar
genome read alignment contig variant allele annotation track coverage primer chromosome sequence
playlist subtitle transcoder thumbnail bitrate segment manifest player chapter caption waveform
crossword tournament ladder chess opening engine evaluation bitboard clock rating replay
sensor gateway firmware bootloader mesh radio beacon payload telemetry watchdog flash partition
lesson quiz grade roster syllabus enrollment certificate transcript attendance rubric forum`);

const PARTS = list(`
loader parser cache renderer exporter scheduler editor viewer validator pipeline store index builder adapter bridge
worker controller service queue buffer stream table schema panel dialog toolbar menu form list page test fixture
benchmark script config layout format driver client server socket thread pool lock timer handler listener`);

const ACTIONS = list(`
added removed rewrote split merged renamed moved cached measured profiled simplified replaced disabled enabled
documented reverted pinned upgraded downgraded isolated batched throttled debounced serialized logged traced`);

const EFFECTS = list(`
slow fast wrong missing duplicated empty stale flaky noisy huge tiny broken correct stable readable portable silent
blocked leaking late early inverted truncated unsorted misaligned clipped jittery blurry loud`);

const REASONS = list(
  `
because startup took seconds on old laptops;because two threads wrote the same buffer;since the vendor dropped support;
to keep the frame budget under sixteen milliseconds;after a user reported strange colours;
so that replays stay deterministic across machines;because floating point differs between compilers;
to make the file half as large;since the default value hid the real problem;after the upgrade of the toolkit;
because the operating system limits open handles;to be able to test it without hardware`.replace(/\s+/g, '_'),
)
  .join('')
  .split(/;_?/);

function camel(...words: string[]): string {
  return words.map((word, i) => (i === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('');
}

/** Records about other projects, to be mixed among those of a set: the same for the same seed. */
export function distractors(count: number, seed = 7): SetRecord[] {
  const random = seeded(seed);
  const begin = Date.UTC(2025, 0, 1);
  return Array.from({ length: count }, (_, i): SetRecord => {
    const subject = pick(random, SUBJECTS);
    const other = pick(random, SUBJECTS);
    const part = pick(random, PARTS);
    const action = pick(random, ACTIONS);
    const effect = pick(random, EFFECTS);
    const reason = pick(random, REASONS).replaceAll('_', ' ');
    const symbol = camel(pick(random, ['load', 'build', 'make', 'find', 'apply', 'reset']), subject, part);
    const number = Math.floor(random() * 5000);
    const titles = [
      `${action.charAt(0).toUpperCase()}${action.slice(1)} the ${subject} ${part}`,
      `${subject} ${part} was ${effect} when the ${other} ${pick(random, PARTS)} changed`,
      `${symbol} returned a ${effect} ${other}`,
      `Use one ${part} for each ${subject}, not a shared one`,
    ];
    return {
      record_id: `x${i}`,
      created_at: new Date(begin + Math.floor((i / count) * 500 * 86_400_000)).toISOString(),
      observation_type: pick(random, OBSERVATION_TYPES),
      title: pick(random, titles),
      summary: `The ${subject} ${part} was ${effect} ${reason}. ${symbol} now checks the ${other} before the ${pick(random, PARTS)} runs; ${number} cases were compared.`,
      facts: random() < 0.5 ? [`${other} ${part} limit ${number}`, `${symbol}(${other})`] : [],
      concepts: [subject, part, other],
      files_touched: random() < 0.7 ? [`games/${other}/${subject}/${camel(subject, part)}.cpp`] : [],
      session_id: `x${Math.floor(i / 6)}`,
      superseded_by: null,
    };
  });
}
