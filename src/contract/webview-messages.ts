import { z } from 'zod';
import { LOCAL_API, streamEventSchema, type ApiMethod } from './local-api';

/** Methods of the local API that a page may call; everything else is refused by the host. */
export const PAGE_METHODS = [
  'status',
  'projects',
  'resolveProject',
  'listEvents',
  'getEvent',
  'listMemories',
  'getMemory',
  'search',
  'editMemory',
  'pinMemories',
  'forgetMemories',
  'restoreMemories',
  'eraseMemories',
  'undo',
  'remember',
  'listInjections',
  'injectionFeedback',
  'insights',
  'health',
  'distilNow',
  'pause',
  'findSessions',
  'importSessions',
  'cancelJob',
] as const satisfies readonly ApiMethod[];
export type PageMethod = (typeof PAGE_METHODS)[number];

/** Commands that a page may run, without arguments. */
export const PAGE_COMMANDS = [
  'kiro-learn.setUp',
  'kiro-learn.removeHooks',
  'kiro-learn.diagnose',
  'kiro-learn.importSessions',
  'kiro-learn.exportMemories',
  'kiro-learn.importMemories',
  'kiro-learn.pause',
  'kiro-learn.resume',
  'kiro-learn.distilNow',
  'kiro-learn.openLog',
  'kiro-learn.openStorageFolder',
  'kiro-learn.openSettings',
  'kiro-learn.restartCollector',
  'kiro-learn.showMemories',
] as const;
export type PageCommand = (typeof PAGE_COMMANDS)[number];

export const PANEL_TABS = ['memories', 'events', 'recall', 'insights', 'health'] as const;
export type PanelTab = (typeof PANEL_TABS)[number];

/** Where the panel should look: a tab, and there one record, event, injection or search. */
export const panelTargetSchema = z.object({
  tab: z.enum(PANEL_TABS),
  record_id: z.string().optional(),
  event_id: z.string().optional(),
  injection_id: z.string().optional(),
  query: z.string().max(10_000).optional(),
});
export type PanelTarget = z.infer<typeof panelTargetSchema>;

export const HOOK_DIALECTS = ['kiro-1.x-user', 'kiro-1.x-workspace', 'kiro-0.x', 'none'] as const;
export type HookDialect = (typeof HOOK_DIALECTS)[number];

export const SETUP_BOXES = [
  'sessions',
  'hook',
  'tools',
  'steering',
  'mcp',
  'vscode',
  'claude',
  'kiroCli',
] as const;
export type SetupBoxId = (typeof SETUP_BOXES)[number];

/** What the user ticked on the set-up page. */
export const setupChoicesSchema = z.object({
  dialect: z.enum(HOOK_DIALECTS),
  boxes: z.record(z.enum(SETUP_BOXES), z.boolean()),
});
export type SetupChoices = z.infer<typeof setupChoicesSchema>;

/** One file that Apply would write, change or remove. */
export const setupFileSchema = z.object({
  path: z.string(),
  action: z.enum(['create', 'change', 'same', 'remove', 'blocked']),
  /** The exact text that is written; of a file shared with others only the part that is ours. */
  text: z.string(),
  /** True where `text` is the whole file. */
  whole: z.boolean(),
  /** Why it can't be written, for `blocked`. */
  reason: z.enum(['not_json', 'not_ours', 'untrusted', 'unreadable']).optional(),
});
export type SetupFile = z.infer<typeof setupFileSchema>;

export const setupPreviewSchema = z.object({
  host: z.string(),
  dialect: z.enum(HOOK_DIALECTS),
  /** Why this dialect: a closed code that the page puts into words. */
  dialect_reason: z.enum([
    'setting',
    'kiro_version',
    'kiro_base',
    'kiro_home',
    'no_kiro',
    'chosen',
    'session_reader_only',
  ]),
  dialects: z.array(z.enum(HOOK_DIALECTS)),
  boxes: z.array(
    z.object({
      id: z.enum(SETUP_BOXES),
      checked: z.boolean(),
      /** False where the box makes no sense here, such as a tool hook without Kiro 0.x. */
      offered: z.boolean(),
      files: z.array(setupFileSchema),
    }),
  ),
  /** Files of other dialects of ours that Apply removes. */
  removals: z.array(setupFileSchema),
  applied_at: z.string().optional(),
});
export type SetupPreview = z.infer<typeof setupPreviewSchema>;

const setupOutcomeSchema = z.object({
  written: z.array(z.string()),
  removed: z.array(z.string()),
  failed: z.array(z.object({ path: z.string(), message: z.string() })),
});
export type SetupOutcome = z.infer<typeof setupOutcomeSchema>;

/** What a page asks of its host beside the local API: parameters and result. */
export const PAGE_ACTIONS = {
  /** Opens a file inside a workspace folder; `opened` is false where it lies outside or is gone. */
  openFile: {
    params: z.object({ path: z.string().max(4096), root: z.string().max(4096).optional() }),
    result: z.object({ opened: z.boolean() }),
  },
  runCommand: { params: z.object({ command: z.enum(PAGE_COMMANDS) }), result: z.object({}) },
  copy: { params: z.object({ text: z.string().max(100_000) }), result: z.object({}) },
  setupPreview: {
    params: z.object({ choices: setupChoicesSchema.optional() }),
    result: setupPreviewSchema,
  },
  setupApply: { params: z.object({ choices: setupChoicesSchema }), result: setupOutcomeSchema },
} as const satisfies Record<string, { params: z.ZodType; result: z.ZodType }>;
export type PageAction = keyof typeof PAGE_ACTIONS;
export type ActionParams<A extends PageAction> = z.input<(typeof PAGE_ACTIONS)[A]['params']>;
export type ActionParsedParams<A extends PageAction> = z.output<(typeof PAGE_ACTIONS)[A]['params']>;
export type ActionResult<A extends PageAction> = z.output<(typeof PAGE_ACTIONS)[A]['result']>;

const callId = z.number().int().min(1);
const actionNames = Object.keys(PAGE_ACTIONS) as [PageAction, ...PageAction[]];

/** Page → host. Nothing is sent to a page before its `ready`. */
export const fromPageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('call'), id: callId, method: z.enum(PAGE_METHODS), params: z.unknown() }),
  z.object({ type: z.literal('action'), id: callId, action: z.enum(actionNames), params: z.unknown() }),
  /** What the user looks at, kept by the host for when the page is made anew. */
  z.object({ type: z.literal('state'), state: z.json() }),
  z.object({ type: z.literal('trouble'), message: z.string().max(500) }),
]);
export type FromPage = z.infer<typeof fromPageSchema>;

export const pageInitSchema = z.object({
  page: z.enum(['panel', 'setup']),
  locale: z.string(),
  strings: z.record(z.string(), z.string()),
  version: z.string(),
  /** Absolute path of the first trusted folder; absent where no folder is open. */
  workspace: z.string().optional(),
  project_name: z.string().optional(),
  trusted: z.boolean(),
  set_up: z.boolean(),
  /** Whether a prompt hook of ours was written. */
  hook_written: z.boolean(),
  /** Whether capture is paused in this window, which the collector's status does not tell. */
  window_paused: z.boolean(),
  state: z.json().optional(),
  target: panelTargetSchema.optional(),
});
export type PageInit = z.infer<typeof pageInitSchema>;

/** Host → page. */
export const toPageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('init'), init: pageInitSchema }),
  z.object({
    type: z.literal('reply'),
    id: callId,
    result: z.unknown().optional(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  }),
  z.object({ type: z.literal('stream'), event: streamEventSchema }),
  z.object({ type: z.literal('show'), target: panelTargetSchema }),
]);
export type ToPage = z.infer<typeof toPageSchema>;

/** Parameters of a page's call, checked; throws a `ZodError`. */
export function parsePageParams(method: PageMethod, params: unknown): unknown {
  return LOCAL_API[method].params.parse(params);
}
