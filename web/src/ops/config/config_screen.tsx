import { DoctorPart } from './doctor_part';
import { SettingsPart } from './settings_part';

/** What the doctor finds, and the settings in force. */
export function ConfigScreen() {
  return (
    <>
      <DoctorPart />
      <SettingsPart />
    </>
  );
}
