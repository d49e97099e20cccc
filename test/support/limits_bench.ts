/** A gateway with a limits.yaml that a test can replace. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentBench, MODEL_KEY, startBench } from './agent_bench';
import { createProfiles } from './agent_config';
import { type Gateway, type GatewayOptions, startGateway } from './gateway';

export interface LimitsBench extends AgentBench {
  /** Replaces limits.yaml; a running gateway reads it within a second. */
  writeLimits(text: string): Promise<void>;
  /** Starts another gateway on the same data, limits and model. */
  startAnother(): Promise<Gateway>;
}

export async function startLimitsBench(limits: string, options: GatewayOptions = {}): Promise<LimitsBench> {
  const config = await createProfiles({ default: '' });
  const writeLimits = (text: string) => writeFile(join(config.directory, 'limits.yaml'), text);
  await writeLimits(limits);
  const env = { NETA_CONFIG_DIR: config.directory, ...options.env };
  const bench = await startBench({ ...options, env });
  return {
    ...bench,
    writeLimits,
    startAnother() {
      const { dataDir, workspace } = bench.gateway;
      const model = { OPENAI_BASE_URL: bench.model.baseUrl, OPENAI_API_KEY: MODEL_KEY };
      return startGateway({ env: { ...env, ...model, NETA_DATA_DIR: dataDir, NETA_WORKSPACE: workspace } });
    },
    async stop() {
      await bench.stop();
      await config.remove();
    },
  };
}
