import { useEffect, useState } from 'preact/hooks';
import { RequestError, refusalOf } from '../../api/request_error';
import { useLocale, useMessages } from '../../i18n/language_context';
import { useOps } from '../ops_controller';
import { type Column, DataTable } from '../parts/data_table';
import { LoadNotice } from '../parts/load_notice';
import { OpsLink } from '../parts/ops_link';
import { ScopeButton } from '../parts/scope_button';
import { useResource } from '../parts/use_resource';
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
      {file.data && <Editor key={file.data.hash ?? ''} file={file.data} onNewest={file.reload} />}
    </>
  );
}

interface EditorProps {
  file: ConfigText;
  /** Reads the file again. */
  onNewest: () => void;
}

function Editor({ file: { name, text: stored = '', hash, isWritable, schema }, onNewest }: EditorProps) {
  const texts = configTexts[useLocale()];
  const ops = useOps();
  const draft = useDraft(stored, hash, name);
  const save = async () => {
    if (await draft.save()) {
      ops.notify(texts.saved);
      onNewest();
    }
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
            <button type="button" class="link-button" data-testid="load-newest" onClick={onNewest}>
              {texts.loadNewest}
            </button>
          )}
        </p>
      )}
      <div class="toolbar">
        <ScopeButton
          scope="admin"
          isBusy={draft.isSaving || !isWritable || draft.text === stored}
          isPrimary
          testId="save-file"
          onClick={() => void save()}
        >
          {texts.save}
        </ScopeButton>
        <span class="field-note">{texts.saveNote}</span>
      </div>
      <Fields schema={schema} />
    </>
  );
}

/** What the person has written, and why the gateway does not take it. The text stays after a refusal. */
function useDraft(stored: string, hash: string | undefined, name: string) {
  const messages = useMessages();
  const [text, setText] = useState(stored);
  const [problem, setProblem] = useState<string>();
  const [isOutdated, setOutdated] = useState(false);
  const [isSaving, setSaving] = useState(false);
  useEffect(() => setProblem(undefined), [text]);
  const save = async (): Promise<boolean> => {
    setSaving(true);
    setProblem(undefined);
    try {
      await writeFile(name, text, hash);
      return true;
    } catch (error) {
      setProblem(refusalOf(error) ?? messages.notRead);
      setOutdated(error instanceof RequestError && error.code === 'config_changed');
      return false;
    } finally {
      setSaving(false);
    }
  };
  return { text, setText, problem, isOutdated, isSaving, save };
}

function Fields({ schema }: { schema: ConfigText['schema'] }) {
  const texts = configTexts[useLocale()];
  const rows = fieldsOf(schema);
  const about: Column<SchemaField> = { key: 'about', head: texts.meaning, cell: ({ description }) => description };
  const columns: Column<SchemaField>[] = [
    { key: 'field', head: texts.field, isName: true, cell: ({ path }) => <code>{path}</code> },
    { key: 'type', head: texts.type, cell: ({ type }) => <code>{type}</code> },
    ...(rows.some(({ description }) => description !== '') ? [about] : []),
  ];
  return (
    <section aria-labelledby="fields-heading">
      <h2 id="fields-heading">{texts.fields}</h2>
      <DataTable label={texts.fields} columns={columns} rows={rows} keyOf={({ path }) => path} empty="" testId="fields" />
    </section>
  );
}
