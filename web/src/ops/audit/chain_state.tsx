import { useLocale } from '../../i18n/language_context';
import { readDoctor } from '../config/doctor_api';
import { OpsLink } from '../parts/ops_link';
import { StatusTag } from '../parts/status_tag';
import { useResource } from '../parts/use_resource';
import { auditTexts } from './audit_texts';

/** Says whether the doctor finds the chain of hashes whole. */
export function ChainState() {
  const texts = auditTexts[useLocale()];
  const { data, status } = useResource('doctor', readDoctor);
  if (status === 'loading') return null;
  const check = data?.checks.find(({ name }) => name.startsWith('audit'));
  const tone = check === undefined ? 'calm' : check.status === 'ok' ? 'good' : 'bad';
  const words = { calm: texts.chainUnknown, good: texts.chainOk, bad: texts.chainBroken }[tone];
  return (
    <p data-testid="chain" data-state={tone}>
      <OpsLink screen="config">
        <StatusTag tone={tone}>{words}</StatusTag>
      </OpsLink>
    </p>
  );
}
