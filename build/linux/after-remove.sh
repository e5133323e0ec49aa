#!/bin/bash
# deb and rpm: electron-builder's own script, and what becomes of the data. tests/unit/installers.test.ts compares both.

# Delete the link to the binary
# update-alternatives --remove <name> <path>: 'path' must be the registered alternative binary,
# not the generic symlink — see https://man7.org/linux/man-pages/man1/update-alternatives.1.html
if type update-alternatives >/dev/null 2>&1; then
    update-alternatives --remove '${executable}' '/opt/${sanitizedProductName}/resources/bin/${executable}'
else
    rm -f '/usr/bin/${executable}'
fi

APPARMOR_PROFILE_DEST='/etc/apparmor.d/${executable}'

# Remove and unload apparmor profile.
if [ -f "$APPARMOR_PROFILE_DEST" ]; then
  # Unload the profile from the running kernel before deleting the file so the
  # policy is not left enforced until the next reboot.  Mirror the chroot guard
  # used in the after-install script — live AppArmor operations are not
  # meaningful inside a chroot.
  # https://wiki.debian.org/AppArmor/HowToUse
  if apparmor_status --enabled > /dev/null 2>&1; then
    if ! { [ -x '/usr/bin/ischroot' ] && /usr/bin/ischroot; } && hash apparmor_parser 2>/dev/null; then
      apparmor_parser --remove "$APPARMOR_PROFILE_DEST" || true
    fi
  fi
  rm -f "$APPARMOR_PROFILE_DEST"
fi

# The data belong to the users. An upgrade also runs this script: deb then passes “upgrade”, rpm the number 1.
case "${1-}" in
  remove | purge | 0)
    if [ "${VERIDESK_REMOVE_DATA-}" = yes ]; then
      folder='${sanitizedProductName}'
      # As its owner, so that a link in a home can lead to nothing that is not the owner's own.
      remove() {
        [ -e "$1" ] && [ ! -L "$1" ] || return 0
        owner=$(stat -c %u "$1")
        name=$(getent passwd "$owner" | cut -d: -f1)
        if [ -n "$name" ] && runuser -u "$name" -- rm -rf -- "$1"
        then echo "Removed the data of user $name: $1"
        else echo "Not removed: $1, of user $owner"
        fi
      }
      # A folder that a setting names is one of ours only with the file that each data folder has.
      remove_named() { [ -f "$1/data-folder.json" ] && remove "$1"; }
      # The homes of all users that are listed, and whatever is beside them, also in a folder of a domain: users of a directory are often not listed.
      # Nothing of theirs is beside the homes of services, where thousands of folders are.
      homes_of_users() {
        homes=$(getent passwd | cut -d: -f6 | grep '^/.')
        echo "$homes"
        echo "$homes" | grep -vE '^/(run|usr|var/(cache|lib|log|run|spool))/|^/var/[^/]*$' | while read -r home; do dirname "$home"; done | sort -u | grep -v '^/$' | while read -r above; do
          for each in "$above"/*; do
            [ -d "$each" ] && [ ! -L "$each" ] || continue
            echo "$each"
            [ "$(stat -c %u "$each")" = 0 ] && [ ! -d "$each/.config" ] && ls -1d "$each"/* 2>/dev/null
          done
        done
      }
      # What moves a data folder: XDG_CONFIG_HOME of the system or of a user, and the policy. Nothing of these files is run.
      named_for() {
        for file in /etc/environment /etc/environment.d/*.conf /etc/security/pam_env.conf /etc/profile /etc/profile.d/*.sh \
          "$1"/.config/environment.d/*.conf "$1/.pam_environment" "$1/.profile" "$1/.bash_profile" "$1/.bashrc" "$1/.zshenv"; do
          [ -f "$file" ] && sed -nE "s|^[[:space:]]*(export[[:space:]]+)?XDG_CONFIG_HOME([[:space:]]+DEFAULT)?=[\"']?([^\"';#[:space:]]+).*|\\3/$folder|p" "$file"
        done
        [ -f /etc/veridesk/policies.json ] && sed -nE 's|.*"DataFolder"[[:space:]]*:[[:space:]]*"([^"]*)".*|\1|p' /etc/veridesk/policies.json
      }
      homes_of_users | sort -u | while read -r home; do
        [ -d "$home" ] || continue
        remove "$home/.config/$folder"
        remove "$home/.cache/${executable}"
        remove "$home/.config/autostart/app.veridesk.console.desktop"
        user=$(getent passwd "$(stat -c %u "$home")" | cut -d: -f1)
        named_for "$home" | sed -E "s#^~|[\$@]\{?(HOME|user_home)\}?#$home#g; s#[\$@]\{?(USER|PAM_USER|user_name)\}?#$user#g" | sort -u | while read -r path; do
          remove_named "$path"
        done
      done
      # The keychain of a user can be reached while they are signed in, and entries be removed while it is unlocked.
      for bus in /run/user/*/bus; do
        [ -S "$bus" ] && type dbus-send >/dev/null 2>&1 || continue
        name=$(getent passwd "$(stat -c %u "$bus")" | cut -d: -f1)
        secrets() { runuser -u "$name" -- dbus-send --bus="unix:path=$bus" --print-reply --reply-timeout=5000 --dest=org.freedesktop.secrets "$@" 2>/dev/null; }
        secrets /org/freedesktop/secrets org.freedesktop.Secret.Service.SearchItems dict:string:string:service,"$folder" | grep -o '"/[^"]*"' | tr -d '"' | while read -r entry; do
          if secrets "$entry" org.freedesktop.Secret.Item.Delete | grep -q '"/"'
          then echo "Removed an entry of the keychain of user $name"
          else echo "Not removed: an entry of the keychain of user $name, which is locked"
          fi
        done
      done
      echo 'Not removed: entries “Veridesk” in keychains of users who are not signed in or whose keychain is locked, data in homes that are not mounted, and data folders that only a program’s start names.'
    else
      echo 'Veridesk was removed. The data of each user stay in ~/.config/${sanitizedProductName}, and their keys in the keychain.'
    fi
    ;;
esac
