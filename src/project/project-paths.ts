import { parentKey } from './path-key';

export interface StoredProject {
  project_id: string;
  /** `/actor/<actor>/project/<project_id>/` */
  namespace: string;
  /** Where the project was seen first, spelled for people. */
  root: string;
  display_name: string;
}

/**
 * Which project each known folder belongs to. Keys are folded paths (`parsePath`), and `git:…` for what is
 * known of a project's repository.
 */
export interface ProjectPathPort {
  get(key: string): StoredProject | undefined;
  /** The project of the closest known folder that is `key` or lies above it. */
  nearest(key: string): StoredProject | undefined;
  /** True where a folder below `key` is known that belongs to another project than `projectId`. */
  othersBelow(key: string, projectId: string): boolean;
  /** Remembers `project` and that `keys` belong to it, also where they belonged to another. */
  put(project: StoredProject, keys: string[]): void | Promise<void>;
}

export interface KnownProject {
  project: StoredProject;
  keys: string[];
}

/** Project paths in memory, handing each change on to whoever keeps them. */
export class ProjectPathTable implements ProjectPathPort {
  private readonly projectOf = new Map<string, StoredProject>();

  constructor(
    known: Iterable<KnownProject> = [],
    private readonly onPut: (project: StoredProject, keys: string[]) => void | Promise<void> = () =>
      undefined,
  ) {
    for (const { project, keys } of known) this.add(project, keys);
  }

  get(key: string): StoredProject | undefined {
    return this.projectOf.get(key);
  }

  nearest(key: string): StoredProject | undefined {
    for (let at: string | undefined = key; at !== undefined; at = parentKey(at)) {
      const project = this.projectOf.get(at);
      if (project) return project;
    }
    return undefined;
  }

  othersBelow(key: string, projectId: string): boolean {
    const start = key === '/' ? '/' : `${key}/`;
    for (const [known, project] of this.projectOf) {
      if (project.project_id !== projectId && known.startsWith(start)) return true;
    }
    return false;
  }

  async put(project: StoredProject, keys: string[]): Promise<void> {
    this.add(project, keys);
    await this.onPut(project, keys);
  }

  private add(project: StoredProject, keys: string[]): void {
    for (const key of keys) this.projectOf.set(key, project);
  }
}
