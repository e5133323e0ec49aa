# Windows (NSIS), added to electron-builder's script: the command line in the PATH, no downgrade, and what stays.
!include "WordFunc.nsh"
!include "LogicLib.nsh"
!include "WinMessages.nsh"

!define ENVIRONMENT_KEY "SYSTEM\CurrentControlSet\Control\Session Manager\Environment"
!define /math PATH_LIMIT ${NSIS_MAX_STRLEN} - 24

# Only the part of the build that uses a function may have it: NSIS reports the other one as an error.
!ifdef BUILD_UNINSTALLER
  !insertmacro un.WordAdd
!else
  !insertmacro WordAdd
  !insertmacro VersionCompare
!endif

!macro tellPrograms
  SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=5000
!macroend

!macro customInit
  ReadRegStr $R0 HKLM "${UNINSTALL_REGISTRY_KEY}" "DisplayVersion"
  ${If} $R0 != ""
    ${VersionCompare} "$R0" "${VERSION}" $R1
    ${If} $R1 == 1
      MessageBox MB_OK|MB_ICONSTOP "Veridesk $R0 is installed, which is newer than ${VERSION}. Nothing was changed. Uninstall it first if you need the older version: its data may not open in it." /SD IDOK
      SetErrorLevel 1638
      Quit
    ${EndIf}
  ${EndIf}
!macroend

!macro customInstall
  # /DATA=PATH sets the policy of the data folder. It stays until an administrator removes it: an upgrade must not lose the data.
  ${GetParameters} $R0
  ClearErrors
  ${GetOptions} $R0 "/DATA=" $R1
  ${IfNot} ${Errors}
  ${AndIf} $R1 != ""
    WriteRegStr HKLM "SOFTWARE\Policies\Veridesk" "DataFolder" "$R1"
  ${EndIf}
  # Links to a place in the window, for every user.
  WriteRegStr HKLM "Software\Classes\veridesk" "" "URL:Veridesk"
  WriteRegStr HKLM "Software\Classes\veridesk" "URL Protocol" ""
  WriteRegStr HKLM "Software\Classes\veridesk\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
  # A value that is longer than NSIS can hold is read as an error; it is never written back shortened.
  ClearErrors
  ReadRegStr $R0 HKLM "${ENVIRONMENT_KEY}" "Path"
  ${If} ${Errors}
    DetailPrint "The PATH could not be read. Add $INSTDIR\resources\bin to use the command line."
  ${Else}
    StrLen $R1 "$R0"
    StrLen $R2 "$INSTDIR\resources\bin"
    IntOp $R1 $R1 + $R2
    ${If} $R1 > ${PATH_LIMIT}
      DetailPrint "The PATH is too long. Add $INSTDIR\resources\bin to use the command line."
    ${Else}
      ${WordAdd} "$R0" ";" "+$INSTDIR\resources\bin" $R0
      WriteRegExpandStr HKLM "${ENVIRONMENT_KEY}" "Path" "$R0"
      !insertmacro tellPrograms
    ${EndIf}
  ${EndIf}
!macroend

!macro customUnInstall
  DeleteRegKey HKLM "Software\Classes\veridesk"
  ClearErrors
  ReadRegStr $R0 HKLM "${ENVIRONMENT_KEY}" "Path"
  ${IfNot} ${Errors}
    ${un.WordAdd} "$R0" ";" "-$INSTDIR\resources\bin" $R1
    ${If} $R1 != ""
    ${AndIf} $R1 != $R0
      WriteRegExpandStr HKLM "${ENVIRONMENT_KEY}" "Path" "$R1"
      !insertmacro tellPrograms
    ${EndIf}
  ${EndIf}
  # electron-builder's own uninstaller removes only what is below APPDATA.
  ${GetParameters} $R0
  ClearErrors
  ${GetOptions} $R0 "--delete-app-data" $R1
  ${IfNot} ${Errors}
    SetShellVarContext current
    RMDir /r "$LOCALAPPDATA\Veridesk"
    SetShellVarContext all
  ${EndIf}
  ${IfNot} ${isUpdated}
    MessageBox MB_OK "Veridesk is removed. The data of each user stay in %LOCALAPPDATA%\Veridesk, and their keys in Windows Credential Manager. To remove your own as well, uninstall with --delete-app-data." /SD IDOK
  ${EndIf}
!macroend
