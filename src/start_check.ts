/** Checks what a start needs, without a start: the files, the models, the sandbox and the database server. Changes nothing. */
import { readSettings } from '../config/settings';
import { type CheckPorts, createCheckPorts } from './check_ports';
import { loadModels } from './load_models';
import { AgentProfiles } from './service/agent/agent_profiles';
import { readLimits } from './service/limits/limits_supervisor';
import { loadApprovalRules } from './service/question/approval_rules';
import { type Finding, found } from './service/status/doctor_checks';
import type { Bilingual } from './utils/bilingual';

/** A check with what was found. */
export interface StartCheck {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  message: Bilingual;
}

/** Resolves with the checks in the order of the report. Throws a SettingError for settings that a start would refuse. `root`: the directory of package.json. */
export async function checkStart(env: NodeJS.ProcessEnv, root: string): Promise<StartCheck[]> {
  const settings = readSettings(env, root);
  const ports = createCheckPorts(settings);
  const { databaseUrl } = settings;
  return [
    { name: 'config', ...(await checkFiles(ports).catch(failed)) },
    { name: 'sandbox', ...(await checkSandbox(ports).catch(failed)) },
    ...(databaseUrl === undefined ? [] : [{ name: 'database', ...(await checkServer(ports, databaseUrl).catch(failed)) }]),
    ...(await checkModels(settings, ports).catch(thrown => [{ name: 'model', ...failed(thrown) }])),
  ];
}

async function checkFiles({ configFiles }: CheckPorts): Promise<Finding> {
  await AgentProfiles.load(configFiles);
  await loadApprovalRules(configFiles);
  await readLimits(configFiles);
  return found('ok', 'A start can read the files.', '启动时可以读取配置文件。');
}

async function checkSandbox({ findSandbox }: CheckPorts): Promise<Finding> {
  const { kind, problem } = await findSandbox();
  if (kind !== 'none') return found('ok', `Commands run in ${kind}.`, `命令在 ${kind} 中运行。`);
  if (problem === undefined)
    return found('warn', 'NETA_SANDBOX=none: commands run without a sandbox.', 'NETA_SANDBOX=none：命令不在沙箱中运行。');
  return found('warn', problem, `没有可用的沙箱：${problem}`);
}

async function checkServer({ readDatabaseServer }: CheckPorts, url: string): Promise<Finding> {
  const { version, migrations } = await readDatabaseServer(url);
  return found('ok', `Postgres ${version} answers, ${migrations} migrations.`, `Postgres ${version} 可以连接，${migrations} 个迁移。`);
}

/** Asks each model server whether it answers and takes the key; costs no tokens. */
async function checkModels(settings: ReturnType<typeof readSettings>, ports: CheckPorts): Promise<StartCheck[]> {
  const models = (await loadModels(settings, ports)).listModels();
  const checks = models.map(async ({ definition: { id }, client, keyProblem }): Promise<StartCheck> => {
    const problem = keyProblem ?? (await client.probe().catch(String));
    client.close();
    const name = `model:${id}`;
    if (problem !== undefined) return { name, ...found('fail', problem, problem) };
    if (client.info.demo) return { name, ...found('warn', 'No model is set: a script answers.', '没有设置模型：由演示脚本应答。') };
    return { name, ...found('ok', 'It answers and takes the key.', '可以连接，密钥有效。') };
  });
  return Promise.all(checks);
}

function failed(thrown: unknown): Finding {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return found('fail', message, message);
}
