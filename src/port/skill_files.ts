/** The folders of skills on disk, in the Agent Skills format: `<name>/SKILL.md` with further files beside it. */
import type { Bilingual } from '../utils/bilingual';

/** A skill folder. `config`: written by the operator, read-only, for every tenant. `agent`: made by a tenant's agent or over REST. */
export type SkillPlace = { readonly source: 'config'; readonly name: string } | AgentSkillPlace;

export interface AgentSkillPlace {
  readonly source: 'agent';
  readonly tenantId: string;
  readonly name: string;
}

export interface SkillFolder {
  readonly place: SkillPlace;
  /** Equal for two readings of one folder when its files, its problems and the text of SKILL.md are the same. */
  readonly version: string;
  /** Name of the folder's SKILL.md as written on disk: some published folders have `skill.md`. */
  readonly documentPath: string;
  /** The bytes of SKILL.md. Absent: the caller knows this version, or SKILL.md is missing or cannot be read; `problems` says why then. */
  readonly document?: Uint8Array;
  /** Paths of all files, relative to the folder, in name order. Hidden files are left out. */
  readonly files: readonly string[];
  /** Path, bytes and time of change of each file, so that an edit in place shows. */
  readonly stamps?: readonly string[];
  /** Sentences that name the file: limits that the folder breaks, links that lead out of it. */
  readonly problems: readonly Bilingual[];
}

/** An expected failure of a skill file. The message is one sentence without a path of the host. */
export class SkillFileError extends Error {
  constructor(
    readonly code: 'not_found' | 'outside' | 'too_large' | 'io',
    readonly text: Bilingual,
    options?: ErrorOptions,
  ) {
    super(text.en, options);
    this.name = 'SkillFileError';
  }
}

/**
 * @example
 * import type { SkillFiles } from './skill_files';
 *
 * // No skills, for tests of other parts.
 * export const noSkills: SkillFiles = {
 *   readFolders: async () => [],
 *   readFile: async () => new Uint8Array(),
 *   writeFile: async () => {},
 *   removeFolder: async () => false,
 *   readDisabledNames: async () => new Map(),
 *   writeDisabledNames: async () => {},
 *   watch: () => {},
 *   close: () => {},
 * };
 */
export interface SkillFiles {
  /**
   * Resolves with every skill folder of both sources and all tenants, in name order. A folder that cannot be read has problems. `known`: versions
   * whose SKILL.md the caller has read already; for an unchanged folder of such a version only the times of its directories are read.
   */
  readFolders(known?: ReadonlySet<string>): Promise<SkillFolder[]>;
  /** Reads one file of a skill; `path` is relative to its folder. Rejects with SkillFileError; no path and no symlink leads out of the folder. */
  readFile(place: SkillPlace, path: string, limits: { maxBytes: number }): Promise<Uint8Array>;
  /** Writes one file atomically and creates the skill folder when it is missing. Rejects with SkillFileError. */
  writeFile(place: AgentSkillPlace, path: string, data: Uint8Array): Promise<void>;
  /** Resolves with false when there was no such folder. A crash leaves the whole skill or none of it in the list. */
  removeFolder(place: AgentSkillPlace): Promise<boolean>;
  /** Resolves with the names of the skills that each tenant has turned off. */
  readDisabledNames(): Promise<ReadonlyMap<string, readonly string[]>>;
  writeDisabledNames(tenantId: string, names: readonly string[]): Promise<void>;
  /** Calls `onChange` within half a second after something in a skill folder may have changed, until `close`. */
  watch(onChange: () => void): void;
  close(): void;
}
