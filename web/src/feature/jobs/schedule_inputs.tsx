import { useId, useMemo } from 'preact/hooks';
import { InputField, SelectField } from '../../components/basic/form_field';
import { useLocale } from '../../i18n/language_context';
import { jobTexts } from './job_texts';
import { DAY_CHOICES, SCHEDULE_KINDS, type ScheduleFields } from './schedule_form';
import type { FormProblem } from './use_job_form';

interface ScheduleInputsProps {
  fields: ScheduleFields;
  onChange: (change: Partial<ScheduleFields>) => void;
  problem: FormProblem | undefined;
}

const UNITS = ['minutes', 'hours'] as const;

/** Shows the fields of the kind of schedule that is chosen. */
export function ScheduleInputs(props: ScheduleInputsProps) {
  const texts = jobTexts[useLocale()];
  const { fields, onChange } = props;
  const kinds = SCHEDULE_KINDS.map(value => ({ value, text: texts.kinds[value] }));
  return (
    <div class="form-grid">
      <SelectField
        label={texts.when}
        value={fields.kind}
        options={kinds}
        problem={problemOf(props, undefined)}
        testId="job-kind"
        onChange={kind => onChange({ kind })}
      />
      {fields.kind === 'daily' && <DailyInputs {...props} />}
      {fields.kind === 'interval' && <IntervalInputs {...props} />}
      {fields.kind === 'once' && (
        <InputField
          label={texts.atField}
          value={fields.at}
          problem={problemOf(props, 'at')}
          testId="job-at"
          onInput={at => onChange({ at })}
          input={{ type: 'datetime-local' }}
        />
      )}
      {fields.kind === 'cron' && (
        <InputField
          label={texts.cronField}
          hint={texts.cronHint}
          value={fields.cron}
          problem={problemOf(props, 'cron')}
          testId="job-cron"
          onInput={cron => onChange({ cron })}
          input={{ spellcheck: false, maxLength: 200 }}
        />
      )}
      {(fields.kind === 'daily' || fields.kind === 'cron') && <TimeZoneInput {...props} />}
    </div>
  );
}

function DailyInputs(props: ScheduleInputsProps) {
  const texts = jobTexts[useLocale()];
  const { fields, onChange } = props;
  return (
    <>
      <SelectField
        label={texts.dayField}
        value={fields.days}
        options={DAY_CHOICES.map(value => ({ value, text: texts.days[value] }))}
        testId="job-days"
        onChange={days => onChange({ days })}
      />
      <InputField
        label={texts.timeField}
        value={fields.time}
        problem={problemOf(props, 'cron')}
        testId="job-time"
        onInput={time => onChange({ time })}
        input={{ type: 'time' }}
      />
    </>
  );
}

function IntervalInputs(props: ScheduleInputsProps) {
  const texts = jobTexts[useLocale()];
  const { fields, onChange } = props;
  return (
    <>
      <InputField
        label={texts.everyField}
        value={fields.every}
        problem={problemOf(props, 'everyMs')}
        testId="job-every"
        onInput={every => onChange({ every })}
        input={{ type: 'number', min: 1, step: 1 }}
      />
      <SelectField
        label={texts.unitField}
        value={fields.unit}
        options={UNITS.map(value => ({ value, text: texts.units[value] }))}
        testId="job-unit"
        onChange={unit => onChange({ unit })}
      />
    </>
  );
}

function TimeZoneInput(props: ScheduleInputsProps) {
  const texts = jobTexts[useLocale()];
  const { fields, onChange } = props;
  const listId = useId();
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone'), []);
  return (
    <>
      <InputField
        label={texts.timeZone}
        value={fields.timeZone}
        problem={problemOf(props, 'timeZone')}
        testId="job-time-zone"
        onInput={timeZone => onChange({ timeZone })}
        input={{ list: listId, spellcheck: false, maxLength: 100 }}
      />
      <datalist id={listId}>
        {zones.map(zone => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

/** Returns the problem of one field; without a name, the problem of a schedule that has no input for it on the page. */
function problemOf({ fields, problem }: ScheduleInputsProps, name: 'cron' | 'everyMs' | 'at' | 'timeZone' | undefined): string | undefined {
  const [, root, field] = problem?.param?.split('/') ?? [];
  if (!problem || root !== 'schedule') return undefined;
  const shown: Record<ScheduleFields['kind'], readonly string[]> = {
    daily: ['cron', 'timeZone'],
    interval: ['everyMs'],
    once: ['at'],
    cron: ['cron', 'timeZone'],
  };
  const owner = field !== undefined && shown[fields.kind].includes(field) ? field : undefined;
  return owner === name ? problem.text : undefined;
}
