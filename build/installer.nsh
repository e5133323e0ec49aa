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

!macro findVeridesk
  nsExec::Exec `"$CmdPath" /C tasklist /FI "IMAGENAME eq ${APP_EXECUTABLE_FILENAME}" /FO CSV /NH | "$SYSDIR\findstr.exe" /B /I /C:"\"${APP_EXECUTABLE_FILENAME}\""`
  Pop $R0
!macroend

# Asks the window to close, so that a batch is paused and the history is closed; electron-builder's own ends the process at once. A window of
# another session than the installer's does not get this, and is ended after 20 seconds. What was recorded stays.
!macro customCheckAppRunning
  !insertmacro findVeridesk
  ${If} $R0 == 0
    ${If} ${Cmd} `MessageBox MB_OKCANCEL|MB_ICONEXCLAMATION "$(appRunning)" /SD IDOK IDCANCEL`
      Quit
    ${EndIf}
    DetailPrint "$(appClosing)"
    nsExec::Exec `"$SYSDIR\taskkill.exe" /IM "${APP_EXECUTABLE_FILENAME}"`
    Pop $R1
    StrCpy $R1 0
    ${Do}
      Sleep 1000
      IntOp $R1 $R1 + 1
      ${If} $R1 == 20
        nsExec::Exec `"$SYSDIR\taskkill.exe" /F /IM "${APP_EXECUTABLE_FILENAME}"`
        Pop $R0
      ${EndIf}
      !insertmacro findVeridesk
      ${If} $R1 > 25
        ${ExitDo}
      ${EndIf}
    ${LoopUntil} $R0 != 0
    ${If} $R0 == 0
      MessageBox MB_OK|MB_ICONSTOP "Veridesk is still open and could not be ended. Nothing was changed. Close it and install again." /SD IDOK
      SetErrorLevel 1
      Quit
    ${EndIf}
  ${EndIf}
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
