import type { RecordDraft } from '../../contract/memory-record';

/** What a draft says gave way: the lifecycle supersedes records that still say it. */
export interface Replacement {
  /** The old value, word for word: a name, a number, a phrase. */
  old: string;
  new?: string;
  /** A name that stands beside the old value, where the change told: a key, a constant. */
  key?: string;
}

/** A draft of the rules, with what the lifecycle needs to know and a record does not keep. */
export interface ExtractedDraft extends RecordDraft {
  replaces?: Replacement[];
  /** Files whose content now calls itself superseded. */
  retired_files?: string[];
  /** Events whose summary the user corrected. */
  corrects?: string[];
}
