/** Reads skills and changes those of a tenant, for tools and doors. */
import type { PatchEngine } from '../../port/patch_engine';
import type { Actor } from '../../port/principal';
import { type AgentSkillPlace, SkillFileError, type SkillFiles } from '../../port/skill_files';
import type { AuditAction } from '../../port/store/audit';
import type { Store, StoreReader } from '../../port/store/store';
import { type AuditRecorder, byActor } from '../../service/audit/audit_log';
import { type Bilingual, joinSentences } from '../../utils/bilingual';
import { KeyedLock } from '../../utils/keyed_lock';
import { readDocument, SKILL_NAME } from './document/skill_document';
import type { SkillCatalog, SkillRecord } from './skill_catalog';
import { createSkillFile, patchSkillFile } from './skill_patch';
import { readSkillTool } from './tools/read_skill';
import { SkillRefusal } from './tools/skill_access';

export interface SkillServiceDeps {
  files: SkillFiles;
  catalog: SkillCatalog;
  patchEngine: PatchEngine;
  store: Store;
  auditLog: AuditRecorder;
}

/** A file that a model or a page reads. */
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_DOWNLOAD_BYTES = 20 * 1024 * 1024;
/** The most skills of one tenant. */
const MAX_AGENT_SKILLS = 200;
/** Calls of the execution log that are looked through for the skills of a session. */
const MAX_ACTIVATIONS = 200;
const NAME = new RegExp(SKILL_NAME);
const DOCUMENT = 'SKILL.md';

/** Every method rejects with SkillRefusal for an expected failure; nothing was changed then. */
export class SkillService {
  private readonly locks = new KeyedLock();

  constructor(private readonly deps: SkillServiceDeps) {}

  /** Looks for changed folders first, so that the list is right also where the system reports no changes of files. */
  async listSkills(tenantId: string): Promise<SkillRecord[]> {
    await this.deps.catalog.reload();
    return this.deps.catalog.listSkills(tenantId);
  }

  /** Lists the skills that agents know, in name order. */
  async listEnabled(tenantId: string): Promise<{ name: string; description: string }[]> {
    const enabled = (await this.listSkills(tenantId)).filter(record => record.enabled);
    return enabled.map(({ name, description }) => ({ name, description })).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Reads an enabled skill. Resolves undefined when there is none, and when it cannot be read. */
  async readEnabled(tenantId: string, name: string): Promise<{ description: string; instructions: string } | undefined> {
    try {
      const { record, instructions } = await this.readInstructions(tenantId, name);
      return { description: record.description, instructions };
    } catch (thrown) {
      if (thrown instanceof SkillRefusal) return undefined;
      throw thrown;
    }
  }

  async getSkill(tenantId: string, name: string): Promise<SkillRecord> {
    await this.deps.catalog.reload();
    return this.findSkill(tenantId, name);
  }

  /** Reads SKILL.md, of a broken skill too. Resolves with undefined when it cannot be read. */
  async readContent({ place, documentPath }: SkillRecord): Promise<Uint8Array | undefined> {
    return this.deps.files.readFile(place, documentPath, { maxBytes: MAX_FILE_BYTES }).catch(() => undefined);
  }

  /** Reads a file of a skill. `isForModel`: at most 1 MiB instead of 20 MiB, and only of an enabled skill. */
  async readFile(tenantId: string, name: string, { path, isForModel }: { path: string; isForModel?: boolean }): Promise<Uint8Array> {
    const record = isForModel ? this.findEnabled(tenantId, name) : this.findSkill(tenantId, name);
    const maxBytes = isForModel ? MAX_FILE_BYTES : MAX_DOWNLOAD_BYTES;
    return this.deps.files.readFile(record.place, path, { maxBytes }).catch(thrown => rejectWith(thrown, '/path'));
  }

  /** Reads an enabled skill as it is on disk now. */
  async readInstructions(tenantId: string, name: string): Promise<{ record: SkillRecord; instructions: string }> {
    const known = this.findEnabled(tenantId, name);
    const bytes = await this.deps.files
      .readFile(known.place, known.documentPath, { maxBytes: MAX_FILE_BYTES })
      .catch(thrown => rejectWith(thrown, '/name'));
    const read = readDocument(bytes, { file: known.documentPath, folder: name });
    if (!read.ok) throw brokenSkill(name, read.problems);
    return { record: known, instructions: read.document.instructions };
  }

  /** Writes a whole SKILL.md. `mode`: what must be true of the name before. */
  writeSkill(actor: Actor, name: string, { content, mode }: { content: string; mode: 'create' | 'update' | 'put' }): Promise<SkillRecord> {
    const { tenantId } = actor;
    return this.locked(tenantId, async () => {
      const place = agentPlace(tenantId, name);
      const known = this.findOwn(tenantId, name);
      if (mode === 'create' && known) throw refuse('invalid', ...EXISTS(name));
      if (mode === 'update' && !known) throw noSuchSkill(name);
      if (!known) this.assertRoom(tenantId);
      const path = known?.documentPath ?? DOCUMENT;
      const bytes = Buffer.from(content, 'utf8');
      assertReadable(bytes, name, '/content');
      await this.record(actor, 'skill.write', name);
      const { catalog, files } = this.deps;
      await catalog.change(place, () => files.writeFile(place, path, bytes).catch(thrown => rejectWith(thrown, '/name')));
      return this.findOwn(tenantId, name) ?? throwIt(noSuchSkill(name));
    });
  }

  /** Changes one file of a skill through the patch engine, or creates it when `oldString` is empty. Resolves with the diff. */
  patchSkill(
    actor: Actor,
    name: string,
    { path, signal, ...edit }: { path?: string; oldString: string; newString: string; locale?: keyof Bilingual; signal: AbortSignal },
  ): Promise<string> {
    const { tenantId } = actor;
    return this.locked(tenantId, async () => {
      const place = agentPlace(tenantId, name);
      const known = this.findOwn(tenantId, name) ?? throwIt(noSuchSkill(name));
      const target = path ?? known.documentPath;
      const { files, patchEngine } = this.deps;
      const before = await files
        .readFile(place, target, { maxBytes: MAX_FILE_BYTES })
        .catch(thrown => (edit.oldString === '' && isMissing(thrown) ? undefined : rejectWith(thrown, '/path')));
      const request = { path: `${name}/${target}`, ...edit, replaceAll: false };
      const { bytes, diff } = before ? await patchSkillFile(before, request, { patchEngine, signal }) : createSkillFile(request);
      if (bytes.length > MAX_FILE_BYTES) throw refuse('invalid', ...GROWS, '/new_string');
      if (target === known.documentPath) assertReadable(bytes, name, '/new_string');
      await this.record(actor, 'skill.patch', name);
      await this.deps.catalog.change(place, () => files.writeFile(place, target, bytes).catch(thrown => rejectWith(thrown, '/path')));
      return diff;
    });
  }

  async removeSkill(actor: Actor, name: string): Promise<void> {
    const { tenantId } = actor;
    await this.locked(tenantId, async () => {
      const place = agentPlace(tenantId, name);
      if (!this.findOwn(tenantId, name)) throw noSuchSkill(name);
      await this.record(actor, 'skill.delete', name);
      const { catalog, files } = this.deps;
      const isRemoved = await catalog.change(place, () => files.removeFolder(place).catch(thrown => rejectWith(thrown, '/name')));
      if (!isRemoved) throw noSuchSkill(name);
      // A later skill of this name starts enabled. A skill of the operator with this name keeps its switch.
      if (this.deps.catalog.findSkill(tenantId, name)) return;
      await this.writeSwitch(tenantId, name, true);
      await this.deps.catalog.reload();
    });
  }

  /** Turns a skill on or off for the tenant. `ownOnly`: refuse a skill of the operator. */
  switchSkill(actor: Actor, name: string, { enabled, ownOnly }: { enabled: boolean; ownOnly?: boolean }): Promise<SkillRecord> {
    const { tenantId } = actor;
    return this.locked(tenantId, async () => {
      const record = ownOnly ? (this.findOwn(tenantId, name) ?? throwIt(noSuchSkill(name))) : this.findSkill(tenantId, name);
      if (enabled && record.problems.length > 0) throw brokenSkill(name, record.problems);
      await this.record(actor, enabled ? 'skill.enable' : 'skill.disable', name);
      await this.writeSwitch(tenantId, name, enabled);
      await this.deps.catalog.reload();
      return this.findSkill(tenantId, name);
    });
  }

  /**
   * Resolves with the names of the skills that the agent has read in the session, the latest first. Read from the log of tool executions, which is
   * durable, is deleted with the session, and costs a turn nothing.
   */
  async listActivated(
    tenantId: string,
    sessionId: string,
    read: Pick<StoreReader, 'toolExecutions'> = this.deps.store.read,
  ): Promise<string[]> {
    const filter = { tool: readSkillTool.name, status: 'success' as const, sessionId };
    const { data } = await read.toolExecutions.list(tenantId, filter, { limit: MAX_ACTIVATIONS });
    return [...new Set(data.flatMap(({ details }) => (typeof details?.['skill'] === 'string' ? [details['skill']] : [])))];
  }

  /** Resolves with the names of the tools for which the skills were written that the agent has read in the session. */
  async listWantedTools(tenantId: string, sessionId: string, read: Pick<StoreReader, 'toolExecutions'>): Promise<string[]> {
    const names = await this.listActivated(tenantId, sessionId, read);
    return names.flatMap(name => this.deps.catalog.findSkill(tenantId, name)?.tools ?? []);
  }

  /** Runs changes of one tenant one after another, each on an up-to-date list. */
  private locked<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    return this.locks.run(tenantId, async () => {
      await this.deps.catalog.reload();
      return work();
    });
  }

  /** Records a change in the audit log. Call it before the files change: files have no transaction, and no change may be without a row. */
  private record(actor: Actor, action: AuditAction, name: string): Promise<void> {
    return this.deps.auditLog.record({ ...byActor(actor), action, target: name });
  }

  private async writeSwitch(tenantId: string, name: string, enabled: boolean): Promise<void> {
    const { files } = this.deps;
    const names = (await files.readDisabledNames()).get(tenantId) ?? [];
    if (names.includes(name) !== enabled) return;
    const others = names.filter(other => other !== name);
    await files.writeDisabledNames(tenantId, enabled ? others : [...others, name]).catch(thrown => rejectWith(thrown, '/enabled'));
  }

  private findSkill(tenantId: string, name: string): SkillRecord {
    return this.deps.catalog.findSkill(tenantId, name) ?? throwIt(noSuchSkill(name));
  }

  private findEnabled(tenantId: string, name: string): SkillRecord {
    const record = this.findSkill(tenantId, name);
    if (record.enabled) return record;
    throw record.problems.length > 0 ? brokenSkill(name, record.problems) : refuse('invalid', ...TURNED_OFF(name));
  }

  /** Finds a skill that may be changed. Throws `read_only` for a skill of the operator. */
  private findOwn(tenantId: string, name: string): SkillRecord | undefined {
    const records = this.deps.catalog.listSkills(tenantId).filter(record => record.name === name);
    const own = records.find(({ source }) => source === 'agent');
    if (!own && records.length > 0) throw refuse('read_only', ...READ_ONLY(name));
    // A name with which nothing exists may become the name of a folder.
    if (!own && !NAME.test(name)) throw refuse('invalid', ...BAD_NAME);
    return own;
  }

  private assertRoom(tenantId: string): void {
    const count = this.deps.catalog.listSkills(tenantId).filter(({ source }) => source === 'agent').length;
    if (count >= MAX_AGENT_SKILLS) throw refuse('full', ...FULL);
  }
}

/** The services of this feature, by the names under which its controllers inject them. */
export interface SkillServices {
  skillService: SkillService;
}

const agentPlace = (tenantId: string, name: string): AgentSkillPlace => ({ source: 'agent', tenantId, name });

type Texts = readonly [en: string, zhCN: string];

const refuse = (code: SkillRefusal['code'], ...[en, zhCN, param]: [...Texts, param?: string]): SkillRefusal =>
  new SkillRefusal(code, { en, 'zh-CN': zhCN }, param);

function throwIt(error: Error): never {
  throw error;
}

const noSuchSkill = (name: string): SkillRefusal =>
  refuse('not_found', `There is no skill ${JSON.stringify(name)}.`, `没有名为 ${JSON.stringify(name)} 的技能。`);

function brokenSkill(name: string, problems: readonly Bilingual[]): SkillRefusal {
  const { en, 'zh-CN': zhCN } = joinSentences(problems);
  return refuse('invalid', `The skill ${name} cannot be used: ${en}`, `技能 ${name} 无法使用：${zhCN}`);
}

function assertReadable(bytes: Uint8Array, name: string, param: string): void {
  const read = readDocument(bytes, { file: DOCUMENT, folder: name, isNew: true });
  if (read.ok) return;
  const { en, 'zh-CN': zhCN } = joinSentences(read.problems);
  throw refuse('invalid', `Nothing was written: ${en}`, `未写入任何内容：${zhCN}`, param);
}

const isMissing = (thrown: unknown): boolean => thrown instanceof SkillFileError && thrown.code === 'not_found';

/** Throws a refusal for a failure of a file; throws anything else as it is. */
function rejectWith(thrown: unknown, param: string): never {
  if (!(thrown instanceof SkillFileError)) throw thrown;
  const { code, text } = thrown;
  const kind = code === 'not_found' ? 'not_found' : code === 'io' ? 'failed' : 'invalid';
  throw new SkillRefusal(kind, text, param, { cause: thrown });
}

const BAD_NAME: Texts = [
  'A name consists of lower-case letters, digits and single hyphens, at most 64.',
  '名称由小写字母、数字和单个连字符组成，最多 64 个字符。',
];
const FULL: Texts = [`There are ${MAX_AGENT_SKILLS} skills already; delete one first.`, `技能已有 ${MAX_AGENT_SKILLS} 个，请先删除一个。`];
const GROWS: Texts = ['The file would grow over 1 MiB; nothing was written.', '文件将超过 1 MiB；未写入任何内容。'];
const EXISTS = (name: string): Texts => [
  `There is a skill ${name} already; update or patch it instead.`,
  `已有名为 ${name} 的技能；请改为更新或修补它。`,
];
const READ_ONLY = (name: string): Texts => [
  `The skill ${name} belongs to the operator of this gateway and is read-only. Choose another name for a skill of your own.`,
  `技能 ${name} 由网关的运维人员提供，只读。自己的技能请换一个名称。`,
];
const TURNED_OFF = (name: string): Texts => [`The skill ${name} is turned off. Go on without it.`, `技能 ${name} 已停用。请不用它继续。`];
