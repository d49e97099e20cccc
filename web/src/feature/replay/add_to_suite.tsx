import { useState } from 'preact/hooks';
import { useLocale } from '../../i18n/language_context';
import { FormFrame, useSubmission } from '../../ops/parts/form_frame';
import { useResource } from '../../ops/parts/use_resource';
import { addCase, listSuites, type SuiteCase } from './replay_api';
import { replayTexts } from './replay_texts';

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

interface Fields {
  name: string;
  title: string;
  contains: string;
  tool: string;
  cost: string;
  judge: string;
  sameCalls: boolean;
  sameAnswer: boolean;
}

const EMPTY: Fields = { name: 'default', title: '', contains: '', tool: '', cost: '', judge: '', sameCalls: true, sameAnswer: false };

interface AddToSuiteProps {
  runId: string;
  onBack: () => void;
  onAdded: (suite: string) => void;
}

/** Makes a run a case of a suite, with its checks. */
export function AddToSuite({ runId, onBack, onAdded }: AddToSuiteProps) {
  const texts = replayTexts[useLocale()];
  const [fields, setFields] = useState(EMPTY);
  const check = () => {
    if (!NAME.test(fields.name.trim())) return texts.suiteRequired;
    return fields.cost.trim() !== '' && !(Number(fields.cost) >= 0) ? texts.costInvalid : undefined;
  };
  const form = useSubmission(check, async () => {
    const name = fields.name.trim();
    await addCase({ runId, name, title: fields.title.trim() || undefined, checks: checksOf(fields) });
    onAdded(name);
  });
  return (
    <FormFrame name="case" label={texts.addToSuite} action={texts.addToSuite} form={form} onBack={onBack}>
      <CaseFields fields={fields} onChange={change => setFields({ ...fields, ...change })} />
    </FormFrame>
  );
}

function checksOf({ contains, tool, cost, judge, sameCalls, sameAnswer }: Fields): SuiteCase['checks'] {
  return {
    answerContains: contains.trim() ? [contains.trim()] : undefined,
    toolsCalled: tool.trim() ? [tool.trim()] : undefined,
    costAtMostUsd: cost.trim() === '' ? undefined : Number(cost),
    judge: judge.trim() || undefined,
    sameCalls: sameCalls || undefined,
    sameAnswer: sameAnswer || undefined,
  };
}

function CaseFields({ fields, onChange }: { fields: Fields; onChange: (change: Partial<Fields>) => void }) {
  const texts = replayTexts[useLocale()];
  const suites = useResource('suites', listSuites);
  const textField = (name: 'title' | 'contains' | 'tool' | 'cost' | 'judge', label: string) => (
    <div class="field">
      <label for={`case-${name}`}>{label}</label>
      <input
        id={`case-${name}`}
        value={fields[name]}
        inputMode={name === 'cost' ? 'decimal' : undefined}
        autocomplete="off"
        data-testid={`case-${name}`}
        onInput={event => onChange({ [name]: event.currentTarget.value })}
      />
    </div>
  );
  const box = (name: 'sameCalls' | 'sameAnswer', label: string) => (
    <label>
      <input
        type="checkbox"
        checked={fields[name]}
        data-testid={`case-${name}`}
        onChange={event => onChange({ [name]: event.currentTarget.checked })}
      />
      <span>{label}</span>
    </label>
  );
  return (
    <>
      <div class="field">
        <label for="case-suite">{texts.suite}</label>
        <input
          id="case-suite"
          value={fields.name}
          list="case-suites"
          maxLength={64}
          autocomplete="off"
          spellcheck={false}
          aria-describedby="case-suite-note"
          data-testid="case-suite"
          onInput={event => onChange({ name: event.currentTarget.value })}
        />
        <datalist id="case-suites">
          {suites.data?.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <p id="case-suite-note" class="field-note">
          {texts.suiteNote}
        </p>
      </div>
      {textField('title', texts.caseTitle)}
      {textField('contains', texts.contains)}
      {textField('tool', texts.toolCalled)}
      {textField('cost', texts.costAtMost)}
      {textField('judge', texts.judge)}
      <div class="check-row">
        {box('sameCalls', texts.sameCalls)}
        {box('sameAnswer', texts.sameAnswer)}
      </div>
    </>
  );
}
