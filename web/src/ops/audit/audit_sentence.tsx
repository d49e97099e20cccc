import { useLocale } from '../../i18n/language_context';
import { OpsLink } from '../parts/ops_link';
import { usePlace } from '../shared/ops_controller';
import type { AuditEntry } from './audit_api';
import { auditTexts } from './audit_texts';

/** Says in one sentence who did what: "ana allowed once: rm -rf build in /w". */
export function AuditSentence({ entry: { actor, action, actionText, actionTextZh, details } }: { entry: AuditEntry }) {
  const locale = useLocale();
  const texts = auditTexts[locale];
  const { query } = usePlace();
  const { command, directory, decision, changedArguments } = details;
  const said = (locale === 'zh-CN' ? actionTextZh : actionText) ?? action;
  const decided = texts.decisions[String(decision)];
  return (
    <>
      <OpsLink screen="audit" query={{ ...query, actor }}>
        {actor}
      </OpsLink>{' '}
      {decided === undefined ? said : changedArguments ? texts.withChanges(decided) : decided}
      {typeof command === 'string' && command !== '' && (
        <>
          {texts.colon}
          <code class="audit-command" data-testid="audit-command">
            {command}
          </code>
          {typeof directory === 'string' && ` ${texts.inDirectory(directory)}`}
        </>
      )}
      <code class="cell-note">{action}</code>
    </>
  );
}
