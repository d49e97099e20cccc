import { useId } from 'preact/hooks';
import { useLocale } from '../../i18n/language_context';
import type { Person, Role } from './account_api';
import { accountTexts } from './account_texts';

interface RoleSelectProps {
  roles: readonly Role[];
  value: Person['role'];
  testId: string;
  onChange: (role: Person['role']) => void;
}

/** Chooses a role, and says what the role may do. */
export function RoleSelect({ roles, value, testId, onChange }: RoleSelectProps) {
  const texts = accountTexts[useLocale()];
  const id = useId();
  const scopes = roles.find(({ role }) => role === value)?.scopes.join(', ') ?? '';
  return (
    <div class="field">
      <label for={id}>{texts.role}</label>
      <select
        id={id}
        value={value}
        aria-describedby={`${id}-note`}
        data-testid={testId}
        onChange={event => onChange(event.currentTarget.value as Person['role'])}
      >
        {roles.map(({ role }) => (
          <option key={role} value={role}>
            {role}
          </option>
        ))}
      </select>
      <p id={`${id}-note`} class="field-note">
        {value === 'operator' ? texts.mayEverywhere(scopes) : texts.may(scopes)}
      </p>
    </div>
  );
}
