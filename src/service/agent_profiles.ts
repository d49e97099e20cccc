/** Agent profiles: what an operator writes in config/agents/*.yaml. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { parseDocument } from 'yaml';
import { TOOLSET_DEFAULTS } from '../tools/catalog';

const closed = { additionalProperties: false };
const MAX_FILE_BYTES = 262_144;

export const AgentProfile = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
    label: Type.Optional(Type.String({ maxLength: 100 })),
    description: Type.Optional(Type.String({ maxLength: 1_000 })),
    model: Type.Optional(Type.String({ minLength: 1, description: 'absent: the configured model' })),
    toolsets: Type.Array(Type.String(), { default: [...TOOLSET_DEFAULTS] }),
    persona: Type.Optional(
      Type.Object(
        { en: Type.Optional(Type.String({ maxLength: 20_000 })), 'zh-CN': Type.Optional(Type.String({ maxLength: 20_000 })) },
        closed,
      ),
    ),
  },
  closed,
);
export type AgentProfile = Static<typeof AgentProfile>;

const checker = TypeCompiler.Compile(AgentProfile);

export class AgentProfiles {
  private constructor(
    private readonly byName: ReadonlyMap<string, AgentProfile>,
    private readonly fallback: AgentProfile,
  ) {}

  /** Reads every *.yaml of the directory. Rejects with one sentence that names file and field; at least a profile `default` must exist. */
  static async load(directory: string): Promise<AgentProfiles> {
    const names = await readdir(directory).catch(() => [] as string[]);
    const byName = new Map<string, AgentProfile>();
    for (const file of names.filter(name => /\.ya?ml$/.test(name)).sort()) {
      const profile = parseProfile(file, await readFile(join(directory, file), 'utf8'));
      byName.set(profile.name, profile);
    }
    const fallback = byName.get('default');
    if (!fallback) throw new Error('agents/default.yaml: an agent profile named "default" is needed.');
    return new AgentProfiles(byName, fallback);
  }

  get(name: string): AgentProfile | undefined {
    return this.byName.get(name);
  }

  getDefault(): AgentProfile {
    return this.fallback;
  }

  list(): AgentProfile[] {
    return [...this.byName.values()];
  }
}

function parseProfile(file: string, text: string): AgentProfile {
  if (Buffer.byteLength(text) > MAX_FILE_BYTES) throw new Error(`agents/${file}: the file is over 256 KiB.`);
  const document = parseDocument(text);
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem) throw new Error(`agents/${file}: ${problem.message.split('\n')[0]}`);
  const value: unknown = document.toJS({ maxAliasCount: 10 });
  if (checker.Check(value)) return value;
  const error = checker.Errors(value).First();
  throw new Error(`agents/${file}: ${error?.path || '/'}: ${error?.message ?? 'is not a profile'}.`);
}
