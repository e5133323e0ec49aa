/**
 * Windows (MSI): adds the command line to the PATH of every user, and the program that opens links to `veridesk://`. electron-builder calls this with the file of the WiX
 * project before it compiles it; Windows Installer removes both when Veridesk is uninstalled. `DATAFOLDER=PATH` sets the policy of the
 * data folder, which stays: an upgrade must not lose the data.
 */
import { readFileSync, writeFileSync } from 'node:fs'

// The identifiers must never change: Windows Installer recognises the components by them.
const components = `
        <Component Id="CommandLine" Guid="C0C2A6B4-52C5-4B0E-8C68-0D2C3E1B6F57">
          <RegistryValue Root="HKLM" Key="Software\\Veridesk" Name="CommandLine" Type="string" Value="[APPLICATIONFOLDER]resources\\bin" KeyPath="yes"/>
          <Environment Id="CommandLinePath" Name="PATH" Action="set" Part="last" System="yes" Permanent="no" Value="[APPLICATIONFOLDER]resources\\bin"/>
        </Component>
        <Component Id="Links" Guid="5C8E0B61-93B4-4C9F-B1F2-0F1B7A6C3D11">
          <RegistryKey Root="HKLM" Key="Software\\Classes\\veridesk">
            <RegistryValue Type="string" Value="URL:Veridesk" KeyPath="yes"/>
            <RegistryValue Name="URL Protocol" Type="string" Value=""/>
            <RegistryValue Key="shell\\open\\command" Type="string" Value="&quot;[APPLICATIONFOLDER]Veridesk.exe&quot; &quot;%1&quot;"/>
          </RegistryKey>
        </Component>
        <Component Id="DataFolder" Guid="3E2B7A90-64C1-4B7D-8D0E-2C9A51F0B7E4" Permanent="yes">
          <Condition>DATAFOLDER</Condition>
          <RegistryValue Root="HKLM" Key="SOFTWARE\\Policies\\Veridesk" Name="DataFolder" Type="string" Value="[DATAFOLDER]" KeyPath="yes"/>
        </Component>`

/** The project with the components. Throws if it has no place for it. */
export function withOwnEntries(project) {
  const group = /<ComponentGroup Id="ProductComponents" Directory="APPLICATIONFOLDER">/
  if (!group.test(project)) throw new Error('electron-builder’s WiX template has no group of components for its own')
  return project.replace(group, (found) => found + components)
}

export default function msiProjectCreated(file) {
  writeFileSync(file, withOwnEntries(readFileSync(file, 'utf8')))
}
