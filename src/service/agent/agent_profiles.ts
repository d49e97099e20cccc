/** Agent profiles, which an operator writes in config/agents/*.yaml. */
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { ConfigFile, ConfigFiles } from '../../port/config_files';
import { TOOLSET_DEFAULTS } from '../../tools/catalog';
import { checkConfigFile, refuseInvisibleText } from '../config_file_check';

const closed = { additionalProperties: false };
const names = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 100, uniqueItems: true });

const ProfileText = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
    label: Type.Optional(Type.String({ maxLength: 100 })),
    description: Type.Optional(Type.String({ maxLength: 1_000 })),
    model: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'absent: the configured model' })),
    toolsets: Type.Optional(names),
    tools: Type.Optional(names),
    hosts: Type.Optional(
      Type.Array(Type.String({ pattern: '^(\\*\\.)?[A-Za-z0-9.-]{1,253}$' }), {
        maxItems: 500,
        description: 'hosts that web tools may reach unasked after private and untrusted content were read; *.example.com is all below it',
      }),
    ),
    persona: Type.Optional(
      Type.Object(
        { en: Type.Optional(Type.String({ maxLength: 20_000 })), 'zh-CN': Type.Optional(Type.String({ maxLength: 20_000 })) },
        closed,
      ),
    ),
  },
  closed,
);

export interface AgentProfile extends Static<typeof ProfileText> {
  /** The toolsets of the profile, or the default ones. */
  toolsets: string[];
  /** Single tools on top of the toolsets. */
  tools: string[];
}

/** The tools of this gateway, against which the names in profiles are checked. */
export interface KnownTools {
  /** Returns true when a tool of this toolset can run. */
  hasToolset(name: string): boolean;
  hasTool(name: string): boolean;
  /** Names that the error offers. */
  toolsets: readonly string[];
}

interface ReadProfile {
  profile: AgentProfile;
  file: ConfigFile;
}

const checker = TypeCompiler.Compile(ProfileText);

export class AgentProfiles {
  private constructor(
    private readonly byName: ReadonlyMap<string, ReadProfile>,
    private readonly fallback: AgentProfile,
  ) {}

  /**
   * Reads every profile of the folder `agents`. Rejects with one sentence that names file, field and line when a profile is not valid, when two
   * files describe the same name, and when there is no profile `default`.
   */
  static async load(files: ConfigFiles): Promise<AgentProfiles> {
    const byName = new Map<string, ReadProfile>();
    for (const file of await files.readFolder('agents')) {
      const profile = toProfile(file);
      const other = byName.get(profile.name);
      if (other) throw file.problem('/name', `${other.file.name} already describes an agent "${profile.name}"`);
      byName.set(profile.name, { profile, file });
    }
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
      }
    }
  }

  /** Returns undefined when no profile has the name. */
  findProfile(name: string): AgentProfile | undefined {
    return this.byName.get(name)?.profile;
  }

  /** Returns the profile named `default`. */
  getDefault(): AgentProfile {
    return this.fallback;
  }

  /** Returns every profile, in the order of the files. */
  listProfiles(): AgentProfile[] {
    return [...this.byName.values()].map(({ profile }) => profile);
  }
}

function toProfile(file: ConfigFile): AgentProfile {
  const written = checkConfigFile(file, checker, 'an agent profile') as Static<typeof ProfileText>;
  refuseInvisibleText(file);
  return { ...written, toolsets: written.toolsets ?? [...TOOLSET_DEFAULTS], tools: written.tools ?? [] };
}
