/**
 * Windows (MSI): adds the command line to the PATH of every user. electron-builder calls this with the file of the WiX
 * project before it compiles it; Windows Installer removes the entry when Veridesk is uninstalled.
 */
import { readFileSync, writeFileSync } from 'node:fs'

// The identifier must never change: Windows Installer recognises the component by it.
const component = `
        <Component Id="CommandLine" Guid="C0C2A6B4-52C5-4B0E-8C68-0D2C3E1B6F57">
          <RegistryValue Root="HKLM" Key="Software\\Veridesk" Name="CommandLine" Type="string" Value="[APPLICATIONFOLDER]resources\\bin" KeyPath="yes"/>
          <Environment Id="CommandLinePath" Name="PATH" Action="set" Part="last" System="yes" Permanent="no" Value="[APPLICATIONFOLDER]resources\\bin"/>
        </Component>`

/** The project with the component. Throws if it has no place for it. */
export function withCommandLine(project) {
  const group = /<ComponentGroup Id="ProductComponents" Directory="APPLICATIONFOLDER">/
  if (!group.test(project)) throw new Error('electron-builder’s WiX template has no group of components for the command line')
  return project.replace(group, (found) => found + component)
}

export default function msiProjectCreated(file) {
  writeFileSync(file, withCommandLine(readFileSync(file, 'utf8')))
}
