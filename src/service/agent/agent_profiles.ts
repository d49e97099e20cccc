/** Agent profiles, which an operator writes in config/agents/*.yaml. */
import type { Static } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { type ConfigFile, ConfigFileError, type ConfigReader } from '../../port/config_files';
import type { ModelParameters } from '../../port/model_parameters';
import type { Locale } from '../../port/store/sessions';
import { CREW_TOOLSET, TOOLSET_DEFAULTS } from '../../tools/catalog';
import type { ConfigReloads } from '../audit/config_reloads';
import { checkConfigFile, refuseInvisibleText } from '../config_file_check';
import { findParameterProblem, toModelParameters } from '../model/model_parameters';
import { PROFILE_SCHEMA } from './agent_profile_schema';
import { type ProfileAccess, toProfileAccess } from './profile_access';

const FOLDER = 'agents';

export interface AgentProfile extends Omit<Static<typeof PROFILE_SCHEMA>, 'parameters' | keyof ProfileAccess>, ProfileAccess {
  /** The toolsets of the profile, or the default ones. */
  toolsets: string[];
  /** Single tools on top of the toolsets. */
  tools: string[];
  memory: boolean;
  skills: boolean;
  /** Toolsets of MCP servers and manifests from which the agent can be given tools; true: all. */
  discover: boolean | string[];
  parameters?: ModelParameters;
  /** The agents to which this one can delegate. */
  members: string[];
}

/** The tools of this gateway, against which the names in profiles are checked. */
export interface KnownTools {
  /** Returns true when a tool of this toolset can run. */
  hasToolset(name: string): boolean;
  hasTool(name: string): boolean;
  /** Returns true for a tool that hands tasks to crew members. */
  delegates(name: string): boolean;
  /** Names that the error offers. */
  toolsets: readonly string[];
}

interface FollowPorts {
  configFiles: ConfigReader;
  configReloads: Pick<ConfigReloads, 'followChanges'>;
}

interface ReadProfile {
  profile: AgentProfile;
  file: ConfigFile;
}

const checker = TypeCompiler.Compile(PROFILE_SCHEMA);

export class AgentProfiles {
  /** Grows with each change. */
  version = 0;

  private constructor(
    private byName: ReadonlyMap<string, ReadProfile>,
    private fallback: AgentProfile,
  ) {}

  /** Takes over each change of the files from now on. `check`: throws one sentence about profiles that cannot be used. */
  followFiles({ configFiles, configReloads }: FollowPorts, check: (profiles: AgentProfiles) => void): void {
    configReloads.followChanges({
      name: FOLDER,
      watched: `${FOLDER}/default.yaml`,
      versions: () => new Map([...this.byName.values()].map(({ file: { name, hash = '' } }) => [name, hash])),
      takeOver: async () => {
        const { profiles, mistakes } = await this.readNext(configFiles, check);
        this.byName = profiles.byName;
        this.fallback = profiles.fallback;
        this.version += 1;
        return mistakes;
      },
    });
  }

  /**
   * Reads every profile of the folder `agents`. Rejects with one sentence that names file, field and line when a profile is not valid, when two
   * files describe the same name, when a member does not exist where its master does or leads back to it, and when there is no profile `default`.
   */
  static async load(files: ConfigReader): Promise<AgentProfiles> {
    const read = (await files.readFolder(FOLDER)).map(file => ({ profile: toProfile(file), file }));
    return AgentProfiles.of(read);
  }

  /**
   * Reads the folder anew. A file with a mistake keeps its version from before, or stays out when it is new; other files are not affected. Rejects
   * when the mistake is in no changed file, such as a member whose file is gone.
   */
  async readNext(
    files: ConfigReader,
    check: (profiles: AgentProfiles) => void,
  ): Promise<{ profiles: AgentProfiles; mistakes: readonly unknown[] }> {
    const before = new Map([...this.byName.values()].map(read => [read.file.name, read]));
    const next = new Map<string, ReadProfile>();
    const mistakes: unknown[] = [];
    const keepOld = (name: string, thrown: unknown) => {
      mistakes.push(thrown);
      const old = before.get(name);
      if (old) next.set(name, old);
      else next.delete(name);
    };
    for (const file of await files.readFolder(FOLDER, keepOld)) {
      const old = before.get(file.name);
      try {
        const isSame = old !== undefined && file.hash !== undefined && old.file.hash === file.hash;
        next.set(file.name, isSame ? old : { profile: toProfile(file), file });
      } catch (thrown) {
        keepOld(file.name, thrown);
      }
    }
    for (;;) {
      try {
        const profiles = AgentProfiles.of([...next.values()], before);
        check(profiles);
        return { profiles, mistakes };
      } catch (thrown) {
        const name = thrown instanceof ConfigFileError ? thrown.place.file : '';
        if (next.get(name) === before.get(name)) throw thrown;
        keepOld(name, thrown);
      }
    }
  }

  /** Checks one file; the other files count as `readNext` leaves them. Rejects with the mistake. */
  async checkFile(files: ConfigReader, name: string, check: (profiles: AgentProfiles) => void): Promise<void> {
    const { mistakes } = await this.readNext(files, check);
    const own = mistakes.find(thrown => thrown instanceof ConfigFileError && thrown.place.file === name);
    if (own !== undefined) throw own;
  }

  /** `before`: profiles by file. When a changed and an unchanged file describe the same name, the changed file is wrong. */
  private static of(read: readonly ReadProfile[], before: ReadonlyMap<string, ReadProfile> = new Map()): AgentProfiles {
    const [old, changed] = [true, false].map(isOld => read.filter(each => (before.get(each.file.name) === each) === isOld));
    const found = new Map<string, ReadProfile>();
    for (const each of [...(old ?? []), ...(changed ?? [])]) {
      const { file, profile } = each;
      const other = found.get(profile.name);
      if (other) throw file.problem('/name', `${other.file.name} already describes an agent "${profile.name}"`);
      found.set(profile.name, each);
    }
    const byName = new Map([...found].sort(([, a], [, b]) => (a.file.name < b.file.name ? -1 : 1)));
    for (const read of byName.values()) checkMembers(read, byName);
    const fallback = byName.get('default');
    if (!fallback) throw new Error('agents/default.yaml: an agent profile named "default" is needed.');
    return new AgentProfiles(byName, fallback.profile);
  }

  /** Throws one sentence that names file, field and line when a profile names a toolset or a tool that this gateway cannot run. */
  checkTools(known: KnownTools): void {
    for (const { profile, file } of this.byName.values()) {
      for (const [i, toolset] of profile.toolsets.entries()) {
        if (!known.hasToolset(toolset))
          throw file.problem(`/toolsets/${i}`, `there is no toolset "${toolset}"; choose from ${known.toolsets.join(', ')}`);
      }
      for (const [i, tool] of profile.tools.entries()) {
        if (!known.hasTool(tool)) throw file.problem(`/tools/${i}`, `there is no tool "${tool}"`);
        if (profile.members.length === 0 && known.delegates(tool)) throw file.problem(`/tools/${i}`, `"${tool}" needs members`);
      }
      const crew = profile.members.length === 0 ? profile.toolsets.indexOf(CREW_TOOLSET) : -1;
      if (crew >= 0) throw file.problem(`/toolsets/${crew}`, 'the toolset "crew" needs members');
    }
  }

  /**
   * Returns a sentence for each toolset in `discover` that no MCP server and no manifest has. Such a name does not end the start, because a
   * manifest can come later.
   */
  discoverWarnings(isSource: (toolset: string) => boolean): string[] {
    return [...this.byName.values()].flatMap(({ profile: { discover }, file }) =>
      (typeof discover === 'boolean' ? [] : discover).flatMap((toolset, i) =>
        isSource(toolset) ? [] : [file.problem(`/discover/${i}`, `there is no MCP server and no manifest "${toolset}"`).message],
      ),
    );
  }

  /** Returns undefined when no profile of the tenant has the name. */
  findProfile(name: string, tenantId: string): AgentProfile | undefined {
    const profile = this.byName.get(name)?.profile;
    return profile && isOfTenant(profile, tenantId) ? profile : undefined;
  }

  /** Returns the profile named `default`. */
  getDefault(): AgentProfile {
    return this.fallback;
  }

  /** Returns the profiles of a tenant, or of all tenants, in the order of the files. */
  listProfiles(tenantId?: string): AgentProfile[] {
    const profiles = [...this.byName.values()].map(({ profile }) => profile);
    return tenantId === undefined ? profiles : profiles.filter(profile => isOfTenant(profile, tenantId));
  }

  /** Lists the agents to which one can delegate, each with the text that says best what it does. */
  listMembers({ members }: AgentProfile, locale: Locale): { name: string; description?: string }[] {
    return members.map(name => {
      const { description, label } = this.byName.get(name)?.profile ?? {};
      const text = textIn(description, locale) ?? textIn(label, locale);
      return { name, description: text };
    });
  }
}

/** Returns a text of a profile in a language, in English when the profile has no other. */
export const textIn = (text: AgentProfile['label'], locale: Locale): string | undefined =>
  typeof text === 'object' ? (text[locale] ?? text.en) : text;

const isOfTenant = ({ tenant }: AgentProfile, tenantId: string): boolean => tenant === undefined || tenant === tenantId;

function toProfile(file: ConfigFile): AgentProfile {
  const written = checkConfigFile(file, checker, 'an agent profile') as Static<typeof PROFILE_SCHEMA>;
  refuseInvisibleText(file);
  const { toolsets = [...TOOLSET_DEFAULTS], tools = [], memory = false, skills = false, discover = true, members = [] } = written;
  const { parameters, ...rest } = written;
  const problem = parameters && findParameterProblem(parameters);
  if (problem) throw file.problem(`/parameters${problem.pointer}`, problem.message);
  const read = parameters && toModelParameters(parameters);
  return { ...rest, ...toProfileAccess(file, written), parameters: read, toolsets, tools, memory, skills, discover, members };
}

/** Throws an error about the first member that does not exist in every tenant of the agent, is the agent itself, or leads back to it. */
function checkMembers({ profile, file }: ReadProfile, byName: ReadonlyMap<string, ReadProfile>): void {
  for (const [i, member] of profile.members.entries()) {
    const problem = (reason: string) => file.problem(`/members/${i}`, reason);
    if (member === profile.name) throw problem('an agent cannot be its own member');
    const found = byName.get(member)?.profile;
    if (!found) throw problem(`there is no agent "${member}"`);
    const { tenant = profile.tenant } = found;
    if (tenant !== profile.tenant) throw problem(`the agent "${member}" exists in the tenant "${tenant}" alone`);
    const path = findPath(member, profile.name, byName);
    if (path) throw problem(`leads back to "${profile.name}": ${[profile.name, ...path].join(' -> ')}`);
  }
}

/** Finds the names from one agent to another along their members, both included. */
function findPath(from: string, to: string, byName: ReadonlyMap<string, ReadProfile>, seen = new Set<string>()): string[] | undefined {
  if (from === to) return [to];
  if (seen.has(from)) return undefined;
  seen.add(from);
  for (const member of byName.get(from)?.profile.members ?? []) {
    const rest = findPath(member, to, byName, seen);
    if (rest) return [from, ...rest];
  }
  return undefined;
}
