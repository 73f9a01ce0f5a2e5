/** A call that waits for its result. */
export interface OpenAction<T> {
  sessionId: string;
  author: string;
  /** '' where the client gave none. */
  actionId: string;
  /** Milliseconds since 1970. */
  at: number;
  value: T;
}

const MAX_OPEN = 500;

/**
 * Joins the start of an action with its end: by their common id, so that parallel actions of one name stay apart,
 * else the end goes to the nearest open start of the same session and author. Holds at most 500 starts.
 */
export class ActionPairer<T> {
  /** In order of arrival. */
  private open: OpenAction<T>[] = [];

  /** @returns a start that had to make room, if one did */
  started(action: OpenAction<T>): OpenAction<T> | undefined {
    this.open.push(action);
    return this.open.length > MAX_OPEN ? this.open.shift() : undefined;
  }

  /** Takes the start that belongs to an end; undefined where none is open. */
  ended(sessionId: string, author: string, actionId: string): OpenAction<T> | undefined {
    const index = this.open.findLastIndex((action) =>
      actionId === ''
        ? action.sessionId === sessionId && action.author === author && action.actionId === ''
        : action.sessionId === sessionId && action.actionId === actionId,
    );
    return index < 0 ? undefined : this.open.splice(index, 1)[0];
  }

  /** Takes the starts that have waited since before `before`; all of them when left out. */
  takeOpen(before = Number.POSITIVE_INFINITY): OpenAction<T>[] {
    const expired = this.open.filter((action) => action.at < before);
    this.open = this.open.filter((action) => action.at >= before);
    return expired;
  }
}
