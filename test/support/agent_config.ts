/** Creates a configuration directory for one test. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface AgentConfig {
  /** The value for NETA_CONFIG_DIR. */
  readonly directory: string;
  remove(): Promise<void>;
}

/** Writes agent profiles: name -> the fields after the name, as YAML. */
export async function createProfiles(profiles: Record<string, string>): Promise<AgentConfig> {
  const directory = await mkdtemp(join(tmpdir(), 'neta-config-'));
  await mkdir(join(directory, 'agents'));
  for (const [name, fields] of Object.entries(profiles)) {
    await writeFile(join(directory, 'agents', `${name}.yaml`), `name: ${name}\n${fields}\n`);
  }
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}

/** Writes a default agent with these toolsets, tools and members, and further agents: name -> toolsets. */
export async function createAgentConfig(
  toolsets: readonly string[],
  others: Record<string, readonly string[]> = {},
  tools: readonly string[] = [],
  members: readonly string[] = [],
): Promise<AgentConfig> {
  const directory = await mkdtemp(join(tmpdir(), 'neta-config-'));
  await mkdir(join(directory, 'agents'));
  const list = (field: string, names: readonly string[]) => (names.length > 0 ? `${field}: [${names.join(', ')}]\n` : '');
  const extra = (name: string) => (name === 'default' ? list('tools', tools) + list('members', members) : '');
  for (const [name, sets] of Object.entries({ default: toolsets, ...others })) {
    await writeFile(join(directory, 'agents', `${name}.yaml`), `name: ${name}\ntoolsets: [${sets.join(', ')}]\n${extra(name)}`);
  }
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}
