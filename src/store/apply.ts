import type { Archive } from './archive';
import { EventApplier } from './apply-events';
import { InjectionApplier } from './apply-injections';
import { RecordApplier } from './apply-records';
import type { Bodies } from './bodies';
import type { Database } from './database';
import { ApplyError } from './errors';
import type { Mutation, Outcome, StoredProject } from './mutation';
import type { Names } from './names';

/** Changes of the store's own that go through the journal beside those of {@link Mutation}. */
export type InternalMutation = { op: 'erasure_done'; sequence: number };
export type StoredMutation = Mutation | InternalMutation;

const APPLIED: Outcome = { outcome: 'applied' };

/** Applies frames to the image in memory; the position that was reached is part of it. */
export class Applier {
  private readonly events: EventApplier;
  private readonly records: RecordApplier;
  private readonly injections: InjectionApplier;

  constructor(
    private readonly db: Database,
    private readonly names: Names,
    bodies: Bodies,
    archive: Archive,
  ) {
    this.events = new EventApplier(db, names, archive);
    this.records = new RecordApplier(db, names);
    this.injections = new InjectionApplier(db, names, { read: (row) => bodies.injection(row) });
  }

  /** Sequence of the last frame that is in the image. */
  get sequence(): number {
    return this.db.number("SELECT value FROM state WHERE key = 'sequence'");
  }

  /** Sequence of the last erase whose traces on disk are still to be removed; 0 where there is none. */
  get erasurePending(): number {
    return this.db.number("SELECT value FROM state WHERE key = 'erasure_pending'");
  }

  setStoreId(id: string): void {
    this.setState('store', id);
  }

  /**
   * Applies the mutations of one frame, all or none, inside a transaction that the caller has begun. The
   * frame counts as applied either way: it would fail in the same way each time.
   */
  applyFrame(sequence: number, mutations: readonly StoredMutation[]): Outcome[] | ApplyError {
    let op = '';
    try {
      return this.db.savepoint(() =>
        mutations.map((mutation) => {
          op = mutation.op;
          return this.apply(mutation, sequence);
        }),
      );
    } catch (error) {
      this.names.forget();
      return new ApplyError(op, { cause: error });
    } finally {
      this.setState('sequence', sequence);
    }
  }

  private apply(mutation: StoredMutation, sequence: number): Outcome {
    switch (mutation.op) {
      case 'event':
        return this.events.apply(mutation);
      case 'turn_end':
        this.events.endTurn(mutation.namespace, mutation.session_id, mutation.turn_id);
        return APPLIED;
      case 'distilled':
        this.events.distilled(mutation.event_ids);
        return APPLIED;
      case 'record':
        this.records.put(mutation.record, mutation.change, mutation.at, mutation.change_id);
        return APPLIED;
      case 'recalled':
        this.records.recalled(mutation.record_ids, mutation.at);
        return APPLIED;
      case 'injection':
        this.injections.put(mutation.injection);
        return APPLIED;
      case 'injection_verdict':
        this.injections.verdict(mutation.injection_id, mutation.record_id, mutation.verdict);
        return APPLIED;
      case 'context_compacted':
        this.events.compacted(mutation.session_id);
        return APPLIED;
      case 'cursor':
        this.db.run('INSERT OR REPLACE INTO cursors (key, value) VALUES (?, ?)', [
          mutation.key,
          mutation.value,
        ]);
        return APPLIED;
      case 'project':
        this.putProject(mutation.project, mutation.paths);
        return APPLIED;
      case 'meta':
        this.putMeta(mutation.key, mutation.value);
        return APPLIED;
      case 'erase_records':
        this.injections.eraseRecords(mutation.record_ids);
        this.records.erase(mutation.record_ids, mutation.keyed_hashes);
        this.setState('erasure_pending', sequence);
        return APPLIED;
      case 'erase_events':
        this.events.erase(mutation.event_ids);
        this.setState('erasure_pending', sequence);
        return APPLIED;
      case 'erasure_done':
        if (this.erasurePending <= mutation.sequence) this.setState('erasure_pending', 0);
        return APPLIED;
      default:
        // A frame of a later version: what it says is not known here, and is kept in the journal.
        return APPLIED;
    }
  }

  private putProject(project: StoredProject, paths: readonly string[]): void {
    const namespace = this.names.intern(project.namespace);
    this.db.run(
      'INSERT OR REPLACE INTO projects (namespace, project_id, root, display_name) VALUES (?, ?, ?, ?)',
      [namespace, project.project_id, project.root, project.display_name],
    );
    for (const path of [project.root, ...paths]) {
      this.db.run('INSERT OR REPLACE INTO project_paths (path, namespace) VALUES (?, ?)', [path, namespace]);
    }
  }

  private putMeta(key: string, value: string | null): void {
    if (value === null) this.db.run('DELETE FROM meta WHERE key = ?', [key]);
    else this.db.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', [key, value]);
  }

  private setState(key: string, value: number | string): void {
    this.db.run('INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)', [key, value]);
  }
}
