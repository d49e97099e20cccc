import { usePlace } from '../shared/ops_controller';
import { DoctorPart } from './doctor_part';
import { FileEditor } from './file_editor';
import { SettingsPart } from './settings_part';

/** Shows the findings of the doctor, the settings in force, and each file of the configuration. */
export function ConfigScreen() {
  const { item } = usePlace();
  if (item !== undefined) return <FileEditor key={item} name={item} />;
  return (
    <>
      <DoctorPart />
      <SettingsPart />
    </>
  );
}
