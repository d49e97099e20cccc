import { useEffect, useState } from 'preact/hooks';
import { RequestError, refusalOf } from '../../api/request_error';
import { useLocale, useMessages } from '../../i18n/language_context';
import { type Column, DataTable } from '../parts/data_table';
import { LoadNotice } from '../parts/load_notice';
import { OpsLink } from '../parts/ops_link';
import { ScopeButton } from '../parts/scope_button';
import { useResource } from '../parts/use_resource';
import { useOps } from '../shared/ops_controller';
import { configTexts } from './config_texts';
import { type ConfigText, readFile, writeFile } from './file_api';
import { fieldsOf, type SchemaField } from './schema_fields';

/** Shows a file of the configuration with its fields, and replaces it. */
export function FileEditor({ name }: { name: string }) {
  const texts = configTexts[useLocale()];
  const file = useResource<ConfigText>(name, () => readFile(name));
  return (
    <>
      <p>
        <OpsLink screen="config">{texts.back}</OpsLink>
      </p>
      <LoadNotice of={file} />
      {file.data && <Editor key={name} file={file.data} />}
    </>
  );
}

interface EditorProps {
  file: ConfigText;
}

function Editor({ file }: EditorProps) {
  const { name, isWritable, schema } = file;
  const texts = configTexts[useLocale()];
  const ops = useOps();
  const draft = useDraft(file);
  const save = async () => {
    if (await draft.save()) ops.notify(texts.saved);
  };
  return (
    <>
      <div class="field">
        <label for="file-text">{name}</label>
        <textarea
          id="file-text"
          class="file-text"
          spellcheck={false}
          wrap="off"
          value={draft.text}
          readOnly={!isWritable}
          data-testid="file-text"
          onInput={event => draft.setText(event.currentTarget.value)}
        />
        {!isWritable && <p class="field-note">{texts.readOnly}</p>}
      </div>
      {draft.problem && (
        <p class="form-problem" role="alert" data-testid="file-problem">
          {draft.problem}{' '}
          {draft.isOutdated && (
            <button type="button" class="link-button" data-testid="load-newest" onClick={() => void draft.loadNewest()}>
              {texts.loadNewest}
            </button>
          )}
        </p>
      )}
      <div class="toolbar">
        <ScopeButton
          scope="operator"
          isBusy={draft.isSaving || !isWritable || !draft.isChanged}
          isPrimary
          testId="save-file"
          onClick={() => void save()}
        >
          {texts.save}
        </ScopeButton>
        <span class="field-note">{texts.saveNote}</span>
      </div>
      {draft.mine !== undefined && (
        <div class="field">
          <label for="file-mine">{texts.mine}</label>
          <textarea id="file-mine" class="file-text" wrap="off" value={draft.mine} readOnly data-testid="file-mine" />
        </div>
      )}
      <Fields schema={schema} />
    </>
  );
}

/** The draft of the person, with the reason of a refusal. The text stays after a refusal, and beside a newer version of the file. */
function useDraft({ name, text: stored = '', hash }: ConfigText) {
  const messages = useMessages();
  const [base, setBase] = useState({ text: stored, hash });
  const [text, setText] = useState(stored);
  const [mine, setMine] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isOutdated, setOutdated] = useState(false);
  const [isSaving, setSaving] = useState(false);
  useEffect(() => setProblem(undefined), [text]);
  /** Sends a request. Resolves whether it succeeded; `problem` holds the reason of a failure. */
  const attempt = async (send: () => Promise<void>): Promise<boolean> => {
    setSaving(true);
    setProblem(undefined);
    try {
      await send();
      return true;
    } catch (error) {
      setProblem(refusalOf(error) ?? messages.notRead);
      setOutdated(error instanceof RequestError && error.code === 'config_changed');
      return false;
    } finally {
      setSaving(false);
    }
  };
  const save = () =>
    attempt(async () => {
      const written = await writeFile(name, text, base.hash);
      setBase({ text, hash: written.hash });
      setMine(undefined);
    });
  const loadNewest = () =>
    attempt(async () => {
      const newest = await readFile(name);
      setMine(text);
      setBase({ text: newest.text ?? '', hash: newest.hash });
      setText(newest.text ?? '');
      // The button that was pressed is gone.
      document.getElementById('file-text')?.focus();
    });
  return { text, setText, mine, isChanged: text !== base.text, problem, isOutdated, isSaving, save, loadNewest };
}

function Fields({ schema }: { schema: ConfigText['schema'] }) {
  const locale = useLocale();
  const texts = configTexts[locale];
  const rows = fieldsOf(schema, locale);
  const isDescribed = rows.some(({ description }) => description !== '');
  const columns: Column<SchemaField>[] = [
    { key: 'field', head: texts.field, isName: true, cell: ({ path }) => <code>{path}</code> },
    { key: 'type', head: texts.type, cell: ({ type }) => <code>{type}</code> },
    { key: 'about', head: texts.meaning, cell: ({ description }) => description },
  ];
  return (
    <section aria-labelledby="fields-heading">
      <h2 id="fields-heading">{texts.fields}</h2>
      <DataTable
        label={texts.fields}
        columns={isDescribed ? columns : columns.slice(0, -1)}
        rows={rows}
        keyOf={({ path }) => path}
        empty=""
        testId="fields"
      />
    </section>
  );
}
