import type { ComponentChildren } from 'preact';
import { callRest } from '../../api/call_rest';
import type { Answer } from '../../api/schema_types';
import { RelativeTime } from '../../components/basic/relative_time';
import { SearchField } from '../../components/list/search_field';
import { formatExact } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { type Column, DataTable } from '../parts/data_table';
import { LoadNotice } from '../parts/load_notice';
import { OpsLink } from '../parts/ops_link';
import { StatusTag, type Tone } from '../parts/status_tag';
import { useResource } from '../parts/use_resource';
import { useOps, useOpsQuery } from '../shared/ops_controller';
import { configTexts } from './config_texts';

type ConfigView = Answer<'OpsConfig'>;
type Setting = ConfigView['settings'][number];
type ConfigFile = ConfigView['files'][number];

const MAX_QUERY = 100;
const TONES: Record<ConfigFile['state'], Tone> = { ok: 'good', absent: 'calm', invalid: 'bad' };

/** The settings in force with their source, and the files of the operator. */
export function SettingsPart() {
  const locale = useLocale();
  const texts = configTexts[locale];
  const config = useResource<ConfigView>('config', () => callRest('GET', '/ops/config'));
  const ops = useOps();
  const query = useOpsQuery('q');
  const { data } = config;
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = (data?.settings ?? []).filter(({ name, section }) => words.every(word => `${name} ${section}`.toLowerCase().includes(word)));
  return (
    <>
      <section aria-labelledby="files-heading">
        <h2 id="files-heading">{texts.files}</h2>
        <LoadNotice of={config} />
        {data && <FileTable files={data.files} notices={data.notices} />}
      </section>
      <section aria-labelledby="settings-heading">
        <h2 id="settings-heading">{texts.settings}</h2>
        {data && (
          <>
            <p class="field-note">{texts.version(data.version, data.nodeVersion, formatExact(data.startedAt, locale))}</p>
            <div class="toolbar">
              <div class="grow">
                <SearchField
                  text={query}
                  onText={q => ops.setQuery({ q })}
                  label={texts.search}
                  maxLength={MAX_QUERY}
                  testId="setting-search"
                />
              </div>
            </div>
            <SettingTable rows={rows} />
          </>
        )}
      </section>
    </>
  );
}

function SettingTable({ rows }: { rows: readonly Setting[] }) {
  const texts = configTexts[useLocale()];
  const columns: Column<Setting>[] = [
    { key: 'setting', head: texts.setting, isName: true, cell: ({ name }) => <code>{name}</code> },
    { key: 'value', head: texts.value, cell: setting => shownValueOf(setting, texts) },
    { key: 'source', head: texts.source, cell: ({ source }) => texts.sources[source] },
  ];
  return (
    <DataTable label={texts.settings} columns={columns} rows={rows} keyOf={({ name }) => name} empty={texts.noMatch} testId="settings" />
  );
}

function shownValueOf({ isSecret, source, value }: Setting, texts: (typeof configTexts)['en']): ComponentChildren {
  if (isSecret && source !== 'none' && source !== 'default') return texts.hidden;
  return value === undefined || value === '' ? texts.unset : <code>{value}</code>;
}

function FileTable({ files, notices }: Pick<ConfigView, 'files' | 'notices'>) {
  const locale = useLocale();
  const texts = configTexts[locale];
  const chinese = new Map(notices.map(({ message, messageZh }) => [message, messageZh]));
  const textOf = (problem: string) => (locale === 'zh-CN' ? (chinese.get(problem) ?? problem) : problem);
  const columns: Column<ConfigFile>[] = [
    {
      key: 'file',
      head: texts.file,
      isName: true,
      cell: ({ name, isEditable }) =>
        isEditable ? (
          <OpsLink screen="config" item={name} testId="edit-file">
            <code>{name}</code>
          </OpsLink>
        ) : (
          <code>{name}</code>
        ),
    },
    {
      key: 'state',
      head: texts.result,
      cell: ({ state, problems, needsRestart }) => (
        <>
          <StatusTag tone={TONES[state]}>{texts.fileStates[state]}</StatusTag>
          {needsRestart && <span class="cell-note">{texts.needsRestart}</span>}
          {problems.map(problem => (
            <span key={problem} class="cell-note bad">
              {textOf(problem)}
            </span>
          ))}
        </>
      ),
    },
    { key: 'changed', head: texts.changed, cell: ({ changedAt }) => changedAt && <RelativeTime iso={changedAt} /> },
  ];
  return <DataTable label={texts.files} columns={columns} rows={files} keyOf={({ name }) => name} empty={texts.noMatch} testId="files" />;
}
