import { createHash } from 'node:crypto';
import type { StoredProject } from './project-paths';

/**
 * The part of a project that one agent (Elephantasm's `anima_id`) keeps to itself. It lies below the caller's own
 * project by construction: no name that an agent can choose leads to another one.
 */
export function subProject(project: StoredProject, animaId: string): StoredProject {
  const suffix = createHash('sha256').update(animaId).digest('hex').slice(0, 12);
  const projectId = `${project.project_id}.${suffix}`;
  return {
    project_id: projectId,
    namespace: project.namespace.replace(/[^/]+\/$/, `${projectId}/`),
    root: project.root,
    display_name: `${project.display_name} (${animaId.slice(0, 60)})`,
  };
}
