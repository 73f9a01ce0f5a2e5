export const HELP = `kiro-learn: the memory of a coding agent, from the command line

  replay <path> --store <dir>      read a Kiro home folder (its sessions/), a folder of hook cases, or an
                                   NDJSON file of v1 events into a store    [--by-session] [--dry-run]
  ask --store <dir> --workspace <abs> --prompt <text> | --prompt-file <file>
                                   what the next prompt would be given      [--now <iso>] [--session <id>]
  search <words> --store <dir>     ranked memories                          [--workspace <abs>] [--limit N]
  stats --store <dir>              events, turns, tools, records, sizes     [--workspace <abs>]
  doctor --store <dir>             is the store sound, who leads, what waits
  export --store <dir>             memories as text        [--format json|markdown] [--out <file>]
  import <file> --store <dir> --workspace <abs>
                                   memories of an export, or events with legacy kinds (NDJSON)

  --json prints one JSON document and nothing else (docs/cli.schema.json). A store is a folder; the one of
  an IDE is its global storage. While a window leads, questions go to that window.
`;
