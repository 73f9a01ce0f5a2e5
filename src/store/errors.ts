/** A failure of the store; messages name things and counts, never content. */
export class StoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A window with a higher epoch owns the store: nothing that was not acknowledged may be taken as stored. */
export class FencedError extends StoreError {
  constructor(readonly epoch: number) {
    super(`Epoch ${epoch} no longer owns the store.`);
  }
}

/** The epoch was used before, or a higher one was. */
export class StaleEpochError extends StoreError {
  constructor(
    readonly epoch: number,
    readonly highest: number,
  ) {
    super(`Epoch ${epoch} is not new: the store has seen ${highest}.`);
  }
}

export type ReadOnlyReason = 'asked' | 'newer_version' | 'fenced' | 'closed';

const READ_ONLY_MESSAGES: Record<ReadOnlyReason, string> = {
  asked: 'The store was opened for reading.',
  newer_version: 'The store was written by a newer version of kiro-learn; update this one to write to it.',
  fenced: 'Another window owns the store now.',
  closed: 'The store is closed.',
};

/** Nothing can be committed, and why. */
export class StoreReadOnlyError extends StoreError {
  constructor(readonly reason: ReadOnlyReason) {
    super(READ_ONLY_MESSAGES[reason]);
  }
}

/** What was to be committed is not on disk (`code` of the platform, such as `ENOSPC`); it may be tried again. */
export class JournalWriteError extends StoreError {
  constructor(
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(`The journal could not be written (${code}).`, options);
  }
}

/** One commit could not be applied; it changed nothing, and others went on. */
export class ApplyError extends StoreError {
  constructor(
    readonly op: string,
    options?: ErrorOptions,
  ) {
    super(`A change of kind "${op}" could not be applied.`, options);
  }
}

/** More in one commit than the journal takes. */
export class CommitTooLargeError extends StoreError {
  constructor(
    readonly bytes: number,
    readonly limit: number,
  ) {
    super(`A commit of ${bytes} bytes is above the limit of ${limit}.`);
  }
}

/** An image above what is loaded into memory (pains 31, 32). */
export class ImageTooLargeError extends StoreError {
  constructor(
    readonly bytes: number,
    readonly limit: number,
  ) {
    super(`The store's image of ${bytes} bytes is above the limit of ${limit}.`);
  }
}

/** A folder or file of the store that is not ours alone: foreign owner, or a link. */
export class UnsafePathError extends StoreError {
  constructor(
    readonly path: string,
    readonly why: 'owner' | 'link' | 'kind',
  ) {
    super(`A path of the store is not safe to use (${why}).`);
  }
}

/** A compressed segment that does not read back; the rows stay, the bodies are gone. */
export class SegmentDamagedError extends StoreError {
  constructor(readonly segment: string) {
    super(`Segment ${segment} is damaged.`);
  }
}

/** What was erased is out of reach, but files that hold it could not all be rewritten; the next open goes on. */
export class ErasureIncompleteError extends StoreError {
  constructor(options?: ErrorOptions) {
    super(
      'Erased content could not be removed from every file yet; kiro-learn will go on when it opens again.',
      options,
    );
  }
}
