import { useLocale } from '../../i18n/language_context';
import { type Column, DataTable } from '../parts/data_table';
import { LoadNotice } from '../parts/load_notice';
import { StatusTag, type Tone } from '../parts/status_tag';
import { useResource } from '../parts/use_resource';
import { configTexts } from './config_texts';
import { type DoctorCheck, readDoctor } from './doctor_api';

const TONES: Record<DoctorCheck['status'], Tone> = { ok: 'good', warn: 'warn', fail: 'bad' };
const ORDER: readonly DoctorCheck['status'][] = ['fail', 'warn', 'ok'];

/** What the doctor finds, the worst first. */
export function DoctorPart() {
  const locale = useLocale();
  const texts = configTexts[locale];
  const report = useResource(`doctor ${locale}`, readDoctor);
  const { data } = report;
  const columns: Column<DoctorCheck>[] = [
    { key: 'check', head: texts.check, isName: true, cell: ({ name }) => name },
    { key: 'result', head: texts.result, cell: ({ status }) => <StatusTag tone={TONES[status]}>{texts.results[status]}</StatusTag> },
    { key: 'finding', head: texts.finding, cell: ({ message }) => message },
  ];
  return (
    <section aria-labelledby="doctor-heading" data-testid="doctor" data-ok={data?.ok}>
      <h2 id="doctor-heading">{texts.doctor}</h2>
      {report.status === 'loading' && <p role="status">{texts.checking}</p>}
      <LoadNotice of={report} />
      {data && (
        <>
          <p role="status">
            <StatusTag tone={data.ok ? 'good' : 'bad'}>{data.ok ? texts.ok : texts.notOk}</StatusTag>
          </p>
          <DataTable
            label={texts.doctor}
            columns={columns}
            rows={[...data.checks].sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status))}
            keyOf={({ name, message }) => `${name} ${message}`}
            stateOf={({ status }) => status}
            empty={texts.noChecks}
            testId="checks"
          />
          <button type="button" class="button more-button" data-testid="check-again" onClick={report.reload}>
            {texts.again}
          </button>
        </>
      )}
    </section>
  );
}
