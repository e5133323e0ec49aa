@echo off
rem Veridesk on Windows: its command line if it is given a command, otherwise its window.
setlocal
if "%~1"=="" goto window
if "%~1"=="--sample" goto window
rem A batch file waits for the program, although it is one of the window system. Chromium reads nothing after "--".
"%~dp0..\..\Veridesk.exe" --cli --log-level=3 -- %*
exit /b %ERRORLEVEL%
:window
start "" "%~dp0..\..\Veridesk.exe" %*
exit /b 0
