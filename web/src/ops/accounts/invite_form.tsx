import { useState } from 'preact/hooks';
import { useLocale } from '../../i18n/language_context';
import { FormFrame, useSubmission } from '../parts/form_frame';
import { accountApi, type MadeLink, type Person, type Role } from './account_api';
import { accountTexts } from './account_texts';
import { RoleSelect } from './role_select';

interface InviteFormProps {
  roles: readonly Role[];
  /** True while the gateway needs no login: the first account is an operator and locks it. */
  isFirst: boolean;
  onMade: (link: MadeLink) => void;
  onBack: () => void;
}

const MAX_EMAIL = 254;

/** Makes the link of an invitation. */
export function InviteForm({ roles, isFirst, onMade, onBack }: InviteFormProps) {
  const texts = accountTexts[useLocale()];
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Person['role']>(isFirst ? 'operator' : 'member');
  const address = email.trim();
  const check = () => (address !== '' && !/^[^\s@]+@[^\s@]+$/.test(address) ? texts.badEmail : undefined);
  const form = useSubmission(check, async () => onMade(await accountApi.invite({ role, email: address || undefined })));
  return (
    <FormFrame name="invitation" label={texts.invite} action={texts.makeLink} form={form} onBack={onBack}>
      {isFirst && <p class="field-note">{texts.firstLocks}</p>}
      <div class="field">
        <label for="invite-email">{texts.email}</label>
        <input
          id="invite-email"
          type="email"
          value={email}
          maxLength={MAX_EMAIL}
          autocomplete="off"
          spellcheck={false}
          aria-describedby="invite-email-note"
          data-testid="invite-email"
          onInput={event => setEmail(event.currentTarget.value)}
        />
        <p id="invite-email-note" class="field-note">
          {texts.emailNote}
        </p>
      </div>
      <RoleSelect roles={roles} value={role} testId="invite-role" onChange={setRole} />
    </FormFrame>
  );
}
