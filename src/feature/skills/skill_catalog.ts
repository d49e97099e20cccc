/** The skills of all tenants, read from their folders and read again when these change. Reads of the list are from memory. */
import type { LogError } from '../../port/logger';
import type { SkillFiles, SkillFolder, SkillPlace } from '../../port/skill_files';
import type { Locale } from '../../port/store/sessions';
import type { PromptSkills } from '../../service/agent/agent_skills';
import type { ConfigReloads } from '../../service/audit/config_reloads';
import { type Bilingual, inBoth } from '../../utils/bilingual';
import { coalesceCalls } from '../../utils/coalesce_calls';
import { contentHash } from '../../utils/content_hash';
import { createYielder } from '../../utils/yield_to_event_loop';
import { type ReadDocument, readDocument, type SkillDocument } from './document/skill_document';
import { toPromptSkills } from './prompt_skills';

export interface SkillRecord {
  name: string;
  source: SkillPlace['source'];
  place: SkillPlace;
  /** Description of the skill; empty when it cannot be read. */
  description: string;
  documentPath: string;
  /** Paths of all files, SKILL.md included. */
  files: readonly string[];
  /** Names in `allowed-tools`, as written. */
  tools: readonly string[];
  /** True when the agent can use the skill: it has no problems and is not turned off. */
  enabled: boolean;
  /** Sentences that begin with a file and often its line. */
  problems: readonly Bilingual[];
  /** Sentences about mistakes that do not keep the skill from being used. */
  warnings: readonly Bilingual[];
  document?: SkillDocument;
}

/** The folders and the switches as they were at the last reading. */
interface Snapshot {
  records: readonly SkillRecord[];
  /** The contents of each SKILL.md, by the version of its folder. */
  documents: ReadonlyMap<string, ReadDocument>;
  disabled: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Returns the description in the language, which the format keeps under `metadata` as `description-zh-CN`. */
export const describeSkill = ({ description, document }: SkillRecord, locale: Locale): string =>
  document?.metadata[`description-${locale}`] ?? description;

export class SkillCatalog {
  private snapshot: Snapshot = { records: [], documents: new Map(), disabled: new Map() };
  private readonly prompts = new Map<string, { snapshot: Snapshot; skills: PromptSkills }>();
  private versions = 0;
  private logged: ReadonlySet<string> = new Set();
  /** SHA-256 of SKILL.md files, and of the lists of the files beside them with sizes and times, by name. Absent before the first reading. */
  private hashes: ReadonlyMap<string, string> | undefined;
  /** Folders that this gateway is writing, each of which gets an audit row of its own. */
  private readonly ownWrites = new Map<string, number>();

  constructor(private readonly deps: { files: SkillFiles; configReloads?: Pick<ConfigReloads, 'recordChanges'>; onError: LogError }) {}

  /** Reads the skills and watches their folders from then on. Call it before the doors open. */
  async start(): Promise<void> {
    const { files, onError } = this.deps;
    files.watch(() => void this.reload().catch(thrown => onError('the skills cannot be read again', thrown)));
    await this.reload();
  }

  /** Reads the folders again. Resolves when a reading that began after this call has ended. */
  readonly reload = coalesceCalls(() => this.readAll());

  /** Changes a folder with `write` and reads it again. All other changes of skill folders count as made by hand. */
  async change<T>(place: SkillPlace, write: () => Promise<T>): Promise<T> {
    const folder = placeName(place);
    this.ownWrites.set(folder, (this.ownWrites.get(folder) ?? 0) + 1);
    try {
      return await write();
    } finally {
      await this.reload().finally(() => this.ownWrites.set(folder, (this.ownWrites.get(folder) ?? 1) - 1));
      if (this.ownWrites.get(folder) === 0) this.ownWrites.delete(folder);
    }
  }

  /** Lists the skills of the operator and of the tenant, broken ones too, in name order. */
  listSkills(tenantId: string): SkillRecord[] {
    const { records, disabled } = this.snapshot;
    const off = disabled.get(tenantId);
    const own = records.filter(({ place }) => place.source === 'config' || place.tenantId === tenantId);
    const operators = new Set(own.filter(({ source }) => source === 'config').map(({ name }) => name));
    return own.map(record => switched(record, off, operators)).sort(byName);
  }

  /** The operator's skill comes first when both have the name. */
  findSkill(tenantId: string, name: string): SkillRecord | undefined {
    return this.listSkills(tenantId).find(record => record.name === name);
  }

  /** Returns the enabled skills for the prompt. Its `version` changes only when their names or descriptions do. O(1) between changes. */
  promptSkills(tenantId: string, locale: Locale = 'en'): PromptSkills {
    const key = `${locale}:${tenantId}`;
    const known = this.prompts.get(key);
    if (known?.snapshot === this.snapshot) return known.skills;
    const listed = toPromptSkills(
      this.listSkills(tenantId).flatMap(skill => (skill.enabled ? [{ name: skill.name, description: describeSkill(skill, locale) }] : [])),
    );
    const isSame = known !== undefined && JSON.stringify(listed) === JSON.stringify(known.skills.listed);
    if (!isSame) this.versions += 1;
    const skills = isSame ? known.skills : { version: this.versions, listed };
    this.prompts.set(key, { snapshot: this.snapshot, skills });
    return skills;
  }

  /** Returns a sentence for each problem of the operator's skills. A tenant sees problems of its own skills in its skill list. */
  warnings(): string[] {
    return this.problemsOf(({ source }) => source === 'config');
  }

  private problemsOf(isMeant: (record: SkillRecord) => boolean): string[] {
    return this.snapshot.records.filter(isMeant).flatMap(({ place, problems }) => problems.map(({ en }) => `${placeName(place)}: ${en}`));
  }

  private async readAll(): Promise<void> {
    const { files } = this.deps;
    const [folders, names] = await Promise.all([files.readFolders(new Set(this.snapshot.documents.keys())), files.readDisabledNames()]);
    const disabled = new Map([...names].map(([tenantId, off]) => [tenantId, new Set(off)]));
    this.snapshot = { ...(await this.toRecords(folders)), disabled };
    this.recordChanges(folders);
    this.logNewProblems();
  }

  /** Parses only texts of changed folders, and yields in between: parsing YAML takes about 0.4 ms a text. */
  private async toRecords(folders: readonly SkillFolder[]): Promise<Pick<Snapshot, 'records' | 'documents'>> {
    const known = this.snapshot.documents;
    const documents = new Map<string, ReadDocument>();
    const records: SkillRecord[] = [];
    const yieldIfDue = createYielder();
    for (const folder of folders) {
      const { place, version, documentPath, document } = folder;
      const read = document ? withoutText(readDocument(document, { file: documentPath, folder: place.name })) : known.get(version);
      if (read) documents.set(version, read);
      records.push(toRecord(folder, read));
      await yieldIfDue();
    }
    return { records, documents };
  }

  private recordChanges(folders: readonly SkillFolder[]): void {
    const before = this.hashes;
    this.hashes = new Map(folders.flatMap(folder => hashesOf(folder, before)));
    if (!before) return;
    const isByHand = ([name]: [string, string]) =>
      ![...this.ownWrites.keys()].some(folder => name === folder || name.startsWith(`${folder}/`));
    const [old, now] = [before, this.hashes].map(hashes => new Map([...hashes].filter(isByHand)));
    void this.deps.configReloads?.recordChanges(old ?? before, now ?? this.hashes);
  }

  private logNewProblems(): void {
    const warnings = this.problemsOf(() => true);
    for (const warning of warnings.filter(text => !this.logged.has(text))) this.deps.onError('a skill is not used', warning);
    this.logged = new Set(warnings);
  }
}

/** An unchanged folder comes without its document. */
function hashesOf(
  { place, documentPath, document, files, stamps = files }: SkillFolder,
  before: ReadonlyMap<string, string> = new Map(),
): [string, string][] {
  const folder = placeName(place);
  const name = `${folder}/${documentPath}`;
  const hash = document ? contentHash(document) : before.get(name);
  const others = stamps.filter(stamp => stamp !== documentPath && !stamp.startsWith(`${documentPath} `));
  return [
    ...(hash === undefined ? [] : [[name, hash] as [string, string]]),
    ...(others.length === 0 ? [] : [[folder, contentHash(others.join('\n'))] as [string, string]]),
  ];
}

function toRecord({ place, documentPath, files, problems }: SkillFolder, read: ReadDocument | undefined): SkillRecord {
  const base = { name: place.name, source: place.source, place, documentPath, files, warnings: read?.ok ? read.warnings : [] };
  if (!read) return { ...base, description: '', tools: [], enabled: false, problems };
  if (!read.ok) {
    const { description = '', tools = [] } = read.seen;
    return { ...base, description, tools, enabled: false, problems: [...read.problems, ...problems] };
  }
  const { description, tools } = read.document;
  return { ...base, description, tools, enabled: problems.length === 0, problems, document: read.document };
}

/** Drops the instructions, which are read from disk when the skill is used. */
const withoutText = (read: ReadDocument): ReadDocument => (read.ok ? { ...read, document: { ...read.document, instructions: '' } } : read);

function switched(record: SkillRecord, off: ReadonlySet<string> | undefined, operators: ReadonlySet<string>): SkillRecord {
  if (record.source === 'agent' && operators.has(record.name)) {
    const place = `${record.documentPath}:1`;
    const problem = inBoth(
      `${place}: the operator has a skill with this name, which is used instead.`,
      `${place}：运维人员已有同名技能，将改用该技能。`,
    );
    return { ...record, enabled: false, problems: [...record.problems, problem] };
  }
  return off?.has(record.name) ? { ...record, enabled: false } : record;
}

const byName = (a: SkillRecord, b: SkillRecord): number =>
  a.name === b.name ? b.source.localeCompare(a.source) : a.name < b.name ? -1 : 1;

const placeName = (place: SkillPlace): string =>
  place.source === 'config' ? `skills/${place.name}` : `skills/${place.tenantId}/${place.name}`;
