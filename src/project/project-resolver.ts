import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { foldsCase } from './case-folding';
import type { GitPort, RepositoryFacts } from './git';
import type { GitLayout } from './git-layout';
import { isWithin, nameOf, parsePath, type ParsedPath, type PathHost } from './path-key';
import type { ProjectPathPort, StoredProject } from './project-paths';

export interface ProjectIdentity extends StoredProject {
  /**
   * A project of another folder with the same history. Its memory is kept apart until a person says that both
   * are one: a repository that was unpacked with a copied `.git` must not read somebody else's.
   */
  needs_confirmation?: StoredProject;
}

/** Where something happened; whatever is known of it. */
export interface Whereabouts {
  /** Working directory, in any spelling. */
  path?: string;
  workspacePaths?: string[];
  /** Roots of repositories that a session header names; used for folders that are gone or not here. */
  repositories?: string[];
  /** Absolute, or relative to `path`. */
  filesTouched?: string[];
}

export interface ProjectResolverDeps {
  actorId: string;
  home: string;
  git: GitPort;
  paths: ProjectPathPort;
  /** Nothing is asked of git in folders that the user does not trust. */
  isTrusted(folder: string): boolean;
  host?: PathHost;
}

const MAX_FILES = 200;

/** Which project a folder belongs to: one answer for hooks, sessions, MCP, command line and IDE. */
export class ProjectResolver {
  private readonly host: PathHost;
  private readonly homeKey: string | undefined;
  private readonly running = new Map<string, Promise<ProjectIdentity>>();

  constructor(private readonly deps: ProjectResolverDeps) {
    this.host = deps.host ?? currentHost();
    this.homeKey = parsePath(deps.home, this.host)?.key;
  }

  /**
   * Known folders are answered from the table at once; an unknown one asks the file system and git first, once
   * however many ask at a time. Never throws for a path that is missing, foreign or unreadable.
   */
  async resolve(where: Whereabouts): Promise<ProjectIdentity> {
    const at = this.startOf(where);
    if (!at) return this.newProject({ key: '', display: '', local: false });
    if (where.filesTouched && where.filesTouched.length > 0) {
      const byFiles = await this.byFiles(at, where.filesTouched);
      if (byFiles) return byFiles;
    }
    return this.resolveFolder(at, where.repositories ?? []);
  }

  /** A person said that the folder at `spelling` is `project`, and it is from now on. */
  async join(spelling: string, project: StoredProject): Promise<void> {
    const at = parsePath(spelling, this.host);
    if (!at) return;
    const real = at.local ? await realFolder(at.display) : undefined;
    const here = real === undefined ? at : await this.localPath(real);
    await this.deps.paths.put(project, [...new Set([at.key, here.key])]);
  }

  private startOf(where: Whereabouts): ParsedPath | undefined {
    const at = where.path ? parsePath(where.path, this.host) : undefined;
    const folders = (where.workspacePaths ?? []).map((folder) => parsePath(folder, this.host));
    return at ?? folders.find((folder) => folder !== undefined);
  }

  private resolveFolder(at: ParsedPath, repositories: string[]): Promise<ProjectIdentity> {
    const known = this.deps.paths.get(at.key);
    if (known) return Promise.resolve(known);
    let running = this.running.get(at.key);
    if (!running) {
      running = this.find(at, repositories).finally(() => this.running.delete(at.key));
      this.running.set(at.key, running);
    }
    return running;
  }

  private async find(at: ParsedPath, repositories: string[]): Promise<ProjectIdentity> {
    const real = at.local && this.deps.isTrusted(at.display) ? await realFolder(at.display) : undefined;
    if (real !== undefined) return this.findLocal(at, real);
    return this.findByHints(at, repositories);
  }

  private async findLocal(at: ParsedPath, real: string): Promise<ProjectIdentity> {
    const here = await this.localPath(real);
    const layout = await this.deps.git.locate(real);
    const top = layout && (await this.localPath(mainRoot(layout)));
    if (!layout || !top || this.isTooWide(top.key)) return this.findPlain(at, here);
    const known = this.deps.paths.get(top.key);
    if (known) return this.remember(known, [at.key, here.key]);
    return this.findRepository(at, top, layout);
  }

  private async localPath(real: string): Promise<ParsedPath> {
    const parsed = parsePath(real, this.host) ?? { key: real, display: real, local: true };
    if (this.host.platform === 'win32' || !(await foldsCase(real))) return parsed;
    return { ...parsed, key: parsed.key.toLowerCase() };
  }

  private async findRepository(at: ParsedPath, top: ParsedPath, layout: GitLayout): Promise<ProjectIdentity> {
    const { git, paths } = this.deps;
    const { own, twins, directory } = repositoryKeys(await git.facts(layout));
    const moved = directory === undefined ? undefined : paths.get(directory);
    if (moved) return this.remember(moved, [at.key, top.key]);
    const project = this.newProject(top);
    const twin = twins
      .map((key) => paths.get(key))
      .find((found) => found !== undefined && found.project_id !== project.project_id);
    const unclaimed = own.filter((key) => paths.get(key) === undefined);
    await this.remember(project, [at.key, top.key, ...unclaimed, ...(directory ? [directory] : [])]);
    return twin ? { ...project, needs_confirmation: twin } : project;
  }

  /** A folder without a repository belongs to the known project around it, unless that one is a mere parent. */
  private findPlain(at: ParsedPath, here: ParsedPath): Promise<ProjectIdentity> {
    const around = this.around(here.key) ?? this.around(at.key);
    return this.remember(around ?? this.newProject(here), [at.key, here.key]);
  }

  private around(key: string): StoredProject | undefined {
    const { paths } = this.deps;
    const found = this.isTooWide(key) ? undefined : paths.nearest(key);
    if (!found) return undefined;
    const rootKey = parsePath(found.root, this.host)?.key ?? '';
    // Where the file system folds case, keys are folded and the root keeps its spelling.
    const isParent =
      this.isTooWide(rootKey) ||
      [rootKey, rootKey.toLowerCase()].some((root) => paths.othersBelow(root, found.project_id));
    return isParent ? undefined : found;
  }

  private findByHints(at: ParsedPath, repositories: string[]): Promise<ProjectIdentity> {
    const roots = repositories.map((root) => parsePath(root, this.host)).filter((root) => root !== undefined);
    const root =
      roots.find((candidate) => isWithin(at.key, candidate.key)) ??
      (roots.length === 1 ? roots[0] : undefined);
    if (!root || this.isTooWide(root.key)) return this.findPlain(at, at);
    const known = this.deps.paths.get(root.key) ?? this.around(root.key);
    return this.remember(known ?? this.newProject(root), [at.key, root.key]);
  }

  /** The root of a disk and the home folder hold everything and are projects of nothing but themselves. */
  private isTooWide(key: string): boolean {
    const isHome = key === this.homeKey || key === this.homeKey?.toLowerCase();
    return isHome || key === '/' || /^[a-z]:$/.test(key);
  }

  /** In a folder that only holds projects, the files that were touched tell which one is meant. */
  private async byFiles(at: ParsedPath, files: string[]): Promise<ProjectIdentity | undefined> {
    const votes = new Map<string, { identity: ProjectIdentity; count: number }>();
    for (const file of files.slice(0, MAX_FILES)) {
      const target = parsePath(file, this.host) ?? parsePath(`${at.display}/${file}`, this.host);
      if (!target || !isWithin(target.key, at.key)) continue;
      const identity = await this.projectBelow(at, target);
      if (!identity) continue;
      const vote = votes.get(identity.project_id) ?? { identity, count: 0 };
      vote.count += 1;
      votes.set(identity.project_id, vote);
    }
    return [...votes.values()].sort((a, b) => b.count - a.count)[0]?.identity;
  }

  /** The project of a file, where that project's root lies below `at`. */
  private async projectBelow(at: ParsedPath, file: ParsedPath): Promise<ProjectIdentity | undefined> {
    const near = this.around(file.key);
    const nearKey = near && parsePath(near.root, this.host)?.key;
    if (near && nearKey !== undefined && nearKey !== at.key && isWithin(nearKey, at.key)) return near;
    if (!file.local || !this.deps.isTrusted(at.display)) return undefined;
    const real = await realFolder(path.dirname(file.display));
    const layout = real === undefined ? undefined : await this.deps.git.locate(real);
    const top = layout && parsePath(layout.toplevel, this.host);
    if (!top || top.key === at.key || !isWithin(top.key, at.key)) return undefined;
    return this.resolveFolder(top, []);
  }

  private async remember(project: StoredProject, keys: string[]): Promise<ProjectIdentity> {
    const { paths } = this.deps;
    const added = [...new Set(keys)].filter((key) => paths.get(key)?.project_id !== project.project_id);
    if (added.length > 0) await paths.put(project, added);
    return project;
  }

  private newProject(at: ParsedPath): StoredProject {
    const projectId = idOf(at.key);
    const actor = this.deps.actorId.replace(/[^\p{L}\p{N}._@+-]/gu, '_') || 'me';
    return {
      project_id: projectId,
      namespace: `/actor/${actor}/project/${projectId}/`,
      root: at.display,
      display_name: nameOf(at.display) || 'No folder',
    };
  }
}

/** All worktrees of a repository are the project of its main checkout. */
function mainRoot(layout: GitLayout): string {
  if (layout.kind !== 'worktree') return layout.toplevel;
  const isDotGit = path.basename(layout.commonDir) === '.git';
  return isDotGit ? path.dirname(layout.commonDir) : layout.commonDir;
}

/**
 * Keys that a repository is remembered by (`own`), those of others that are likely the same (`twins`), and that
 * of the very directory of its objects, which a renamed checkout takes along and no copy can have. A shallow
 * clone does not know its first commit: its remote must do.
 */
function repositoryKeys(facts: RepositoryFacts): { own: string[]; twins: string[]; directory?: string } {
  const { remote, root_commit: commit, directory } = facts;
  const key = (words: string) => `git:${digest(words)}`;
  const moved = directory === undefined ? {} : { directory: key(`directory ${directory}`) };
  if (remote === undefined) {
    const own = commit === undefined ? [] : [key(`commit ${commit}`)];
    return { own, twins: own, ...moved };
  }
  const [whole, shallow] = [key(`whole ${remote}`), key(`shallow ${remote}`)];
  if (commit === undefined) return { own: [shallow], twins: [shallow, whole], ...moved };
  const exact = key(`remote ${remote} commit ${commit}`);
  return { own: [exact, whole], twins: [exact, shallow], ...moved };
}

/** The same folder gets the same id on every installation, and the id does not tell its name. */
function idOf(key: string): string {
  return digest(`project:${key}`);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 20);
}

/** A folder with links resolved, or the folder of a file; undefined where nothing is. */
async function realFolder(spelling: string): Promise<string | undefined> {
  try {
    const real = await realpath(spelling);
    return (await stat(real)).isDirectory() ? real : path.dirname(real);
  } catch {
    return undefined;
  }
}

function currentHost(): PathHost {
  return { platform: process.platform, wsl: process.env['WSL_DISTRO_NAME'] !== undefined };
}
