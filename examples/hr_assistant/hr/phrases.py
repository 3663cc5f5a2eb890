"""The sentences that the assistant says by itself, in its three languages."""

from __future__ import annotations

from hr.words import Language

Phrase = dict[Language, str]

ACKNOWLEDGED: dict[str, Phrase] = {
    "self_harm": {
        "en": "Thank you for telling me. I am sorry that things are this heavy; you do not have "
        "to carry this alone.",
        "de": "Danke, dass Sie mir das sagen. Es tut mir leid, dass es so schwer ist; Sie müssen "
        "damit nicht allein bleiben.",
        "id": "Terima kasih sudah bercerita. Saya ikut prihatin bahwa keadaan terasa seberat ini; "
        "Anda tidak harus menanggungnya sendirian.",
    },
    "violence": {
        "en": "I am sorry that this happened. Your safety comes first.",
        "de": "Es tut mir leid, dass das passiert ist. Ihre Sicherheit geht vor.",
        "id": "Saya ikut prihatin atas kejadian ini. Keselamatan Anda yang utama.",
    },
    "harassment": {
        "en": "I am sorry that you have to go through this, and thank you for saying it.",
        "de": "Es tut mir leid, dass Sie das erleben, und danke, dass Sie es ansprechen.",
        "id": "Saya ikut prihatin atas apa yang Anda alami, dan terima kasih sudah "
        "menyampaikannya.",
    },
    "discrimination": {
        "en": "I am sorry that this happened to you, and thank you for saying it.",
        "de": "Es tut mir leid, dass Ihnen das widerfahren ist, und danke, dass Sie es ansprechen.",
        "id": "Saya ikut prihatin atas hal ini, dan terima kasih sudah menyampaikannya.",
    },
    "wrongdoing": {
        "en": "Thank you for speaking up; that is not easy.",
        "de": "Danke, dass Sie das ansprechen; das ist nicht leicht.",
        "id": "Terima kasih sudah berani melapor; itu tidak mudah.",
    },
    "data_breach": {
        "en": "Thank you for telling us at once.",
        "de": "Danke, dass Sie das sofort melden.",
        "id": "Terima kasih sudah segera memberi tahu.",
    },
    "medical": {
        "en": "I am sorry to hear that, and I hope that you are looked after well.",
        "de": "Das tut mir leid, und ich hoffe, dass Sie gut versorgt sind.",
        "id": "Saya ikut prihatin, dan semoga Anda mendapat perawatan yang baik.",
    },
}

TOLD: dict[str, Phrase] = {
    "crisis_support": {
        "en": "I have asked our crisis support to reach out to you right away. If you are in "
        "danger now, call the emergency number where you are.",
        "de": "Ich habe unsere Krisenhilfe gebeten, sich sofort bei Ihnen zu melden. Wenn Sie "
        "jetzt in Gefahr sind, wählen Sie den Notruf an Ihrem Ort.",
        "id": "Saya sudah meminta tim dukungan krisis untuk segera menghubungi Anda. Jika Anda "
        "dalam bahaya sekarang, hubungi nomor darurat di tempat Anda.",
    },
    "site_security": {
        "en": "I have told site security, who will reach out to you right away.",
        "de": "Ich habe den Werkschutz informiert, der sich sofort bei Ihnen meldet.",
        "id": "Saya sudah memberi tahu petugas keamanan, yang akan segera menghubungi Anda.",
    },
    "people_relations": {
        "en": "I have asked People Relations to contact you today; they know only that you would "
        "like to talk, and no details.",
        "de": "Ich habe People Relations gebeten, sich heute bei Ihnen zu melden; dort weiß man "
        "nur, dass Sie sprechen möchten, und keine Einzelheiten.",
        "id": "Saya sudah meminta People Relations untuk menghubungi Anda hari ini; mereka hanya "
        "tahu bahwa Anda ingin berbicara, tanpa rinciannya.",
    },
    "compliance_confidential": {
        "en": "I have told the confidential line of Compliance that there is a report to be made. "
        "Your name was not passed on; you decide whether you give it.",
        "de": "Ich habe der vertraulichen Meldestelle gesagt, dass es eine Meldung gibt. Ihr Name "
        "wurde nicht weitergegeben; Sie entscheiden, ob Sie ihn nennen.",
        "id": "Saya sudah memberi tahu jalur rahasia Compliance bahwa ada laporan. Nama Anda tidak "
        "diteruskan; Anda yang memutuskan apakah menyebutkannya.",
    },
    "data_protection_officer": {
        "en": "I have told the data protection officer, who will contact you today. Please do not "
        "open or forward the data any further.",
        "de": "Ich habe die Datenschutzbeauftragte informiert, die sich heute bei Ihnen meldet. "
        "Bitte öffnen Sie die Daten nicht weiter und leiten Sie sie nicht weiter.",
        "id": "Saya sudah memberi tahu petugas pelindungan data, yang akan menghubungi Anda hari "
        "ini. Mohon jangan membuka atau meneruskan data itu lagi.",
    },
    "occupational_health": {
        "en": "I have asked occupational health to contact you within two working days; I have not "
        "passed on what you wrote about your health.",
        "de": "Ich habe den betriebsärztlichen Dienst gebeten, sich innerhalb von zwei "
        "Arbeitstagen zu melden; was Sie über Ihre Gesundheit schrieben, habe ich nicht "
        "weitergegeben.",
        "id": "Saya sudah meminta layanan kesehatan kerja untuk menghubungi Anda dalam dua hari "
        "kerja; apa yang Anda tulis tentang kesehatan Anda tidak saya teruskan.",
    },
}

SUMMARIES = {
    "self_harm": "An employee needs somebody to talk to at once.",
    "violence": "An employee reports a threat to their safety.",
    "harassment": "An employee would like to talk about how they are treated.",
    "discrimination": "An employee would like to talk about how they are treated.",
    "wrongdoing": "Somebody would like to report possible wrongdoing.",
    "data_breach": "An employee reports that personal data may have gone astray.",
    "medical": "An employee would like to talk about their health and their work.",
}

VARIES: Phrase = {
    "en": "This is the rule for {here}; it differs in {others}.",
    "de": "Das gilt für {here}; anders ist es für {others}.",
    "id": "Aturan ini berlaku untuk {here}; aturannya berbeda di {others}.",
}
OTHER_PLACE: Phrase = {
    "en": "You asked about {asked}; your own contract is under the rules of {own}.",
    "de": "Sie fragten nach {asked}; für Ihren eigenen Vertrag gilt: {own}.",
    "id": "Anda bertanya tentang {asked}; kontrak Anda sendiri mengikuti aturan {own}.",
}
SOURCE: Phrase = {
    "en": "Source: {title}, “{section}”{place}, version {version}, in force since {effective}.",
    "de": "Quelle: {title}, „{section}“{place}, Version {version}, gültig seit {effective}.",
    "id": "Sumber: {title}, “{section}”{place}, versi {version}, berlaku sejak {effective}.",
}
NOT_FOUND: Phrase = {
    "en": "I found no policy text that answers this, so I would rather not guess. People "
    "Operations can tell you.",
    "de": "Ich habe keinen Richtlinientext dazu gefunden und möchte nicht raten. Bitte fragen Sie "
    "People Operations.",
    "id": "Saya tidak menemukan kebijakan yang menjawab pertanyaan ini, dan saya tidak ingin "
    "menebak. Silakan bertanya kepada People Operations.",
}
NO_PLACE: Phrase = {
    "en": "I have no policies for the place of your contract, so I would rather not guess. People "
    "Operations can tell you which rules hold for you.",
    "de": "Für den Ort Ihres Vertrags liegen mir keine Richtlinien vor, und ich möchte nicht "
    "raten. People Operations kann Ihnen sagen, was für Sie gilt.",
    "id": "Saya tidak memiliki kebijakan untuk tempat kontrak Anda, dan saya tidak ingin menebak. "
    "People Operations dapat memberi tahu aturan yang berlaku bagi Anda.",
}
REFUSED: Phrase = {
    "en": "I cannot share another person's records, or say whether there are any.",
    "de": "Unterlagen über andere darf ich nicht weitergeben, auch nicht, ob es welche gibt.",
    "id": "Saya tidak dapat membagikan catatan orang lain, atau mengatakan apakah ada catatan itu.",
}
OWN_REFUSED: Phrase = {
    "en": "I do not show pay here, not even your own.",
    "de": "Vergütung zeige ich hier nicht an, auch nicht Ihre eigene.",
    "id": "Saya tidak menampilkan gaji di sini, termasuk gaji Anda sendiri.",
}
OWN_REFUSED_ASKS: Phrase = {
    "en": "own pay payslip salary",
    "de": "vertraulich unterlagen gehalt",
    "id": "rahasia catatan gaji",
}
REFUSED_ASKS: Phrase = {
    "en": "confidential record colleague",
    "de": "vertraulich unterlagen kollege",
    "id": "rahasia catatan rekan",
}
BALANCE: Phrase = {
    "en": "Your leave balance is {days} days as of {as_of}.",
    "de": "Ihr Urlaubssaldo beträgt {days} Tage (Stand {as_of}).",
    "id": "Saldo cuti Anda {days} hari per {as_of}.",
}
TEAM_BALANCE: Phrase = {
    "en": "The leave balance of {name} is {days} days as of {as_of}.",
    "de": "Der Urlaubssaldo von {name} beträgt {days} Tage (Stand {as_of}).",
    "id": "Saldo cuti {name} adalah {days} hari per {as_of}.",
}
