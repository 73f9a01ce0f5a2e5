/** Events that left the image, as the rest of the store asks about them. */
export interface Archive {
  /** The event that an id stands for, where it was archived: itself, or the one that it collapsed into. */
  survivorOf(eventId: Uint8Array): string | undefined;
}

export const emptyArchive: Archive = { survivorOf: () => undefined };
