/** A configuration directory of a test's own, as an operator writes one. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface AgentConfig {
  /** For NETA_CONFIG_DIR. */
  readonly directory: string;
  remove(): Promise<void>;
}

/** One agent, the default one, that has these toolsets. */
export async function createAgentConfig(toolsets: readonly string[]): Promise<AgentConfig> {
  const directory = await mkdtemp(join(tmpdir(), 'neta-config-'));
  await mkdir(join(directory, 'agents'));
  await writeFile(join(directory, 'agents', 'default.yaml'), `name: default\ntoolsets: [${toolsets.join(', ')}]\n`);
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}
