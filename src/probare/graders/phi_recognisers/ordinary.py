"""Words that begin with a capital and are no names: of headings, of medicine, of the calendar.

Kept short on purpose. A name that is also an ordinary word (Will, Grace, May) is found only where
a title or a label stands before it.
"""

from __future__ import annotations

_FUNCTION = """
a about above admit after against all also although am an and any approx are as ask at avoid be
because been before began begin below between both but by call can check complete confirm
consider contact continue could daily date daughter declined deferred denied denies despite did
discontinue discuss discussed do does done due during each either encourage every except
father fax female find first follow followed following for from full further gave get give
given good had has have he hello her here hers hi him his hold home how however husband i if in
increase initial into is it its keep last later left let like long low make male may me more
most mother must my near never new next no non none normal not note noted notes now of off old
on once one only onset or other our out over own parent partner past per plan please possible
presents prior re reason received recent recheck refer refuses repeat reported reports request
requested review right routine said same scheduled see seen send sent she should show since
sister so some son spoke spouse start started stop such take taken takes taper tell than thank
thanks that the their them then there these they this those though through to today tomorrow
tonight too total twice two under unknown until up upon us use used via wants was we well were
what when where which while who whom wife will with within without would yes yesterday yet you
your brother sincerely regards dear mr mrs ms mx miss dr prof sir madam
"""

_CALENDAR = """
january february march april may june july august september october november december jan feb
mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday
sunday mon tue tues wed thu thur thurs fri sat sun spring summer autumn fall winter christmas
easter thanksgiving am pm est edt pst pdt utc gmt
"""

_WORK = """
access account accounts act action active acute address administration administrative advance
advice advocate affairs agency agent agreement aid alert allergies allergy appeal appeals
application appointment appointments approval assessment assistance assistant association
authorization authorized bay bed benefit benefits bill billing block board building bureau
business campus care caregiver case category center centre certificate charge chart chief child
children choice claim claims class clerk client clinic clinical code college comfort
committee communication community company compensation complaint compliance concern conduct
conference consent consult consultant consultation coordinator corporation council counselor
county coverage data day department deputy desk details diagnosis digital director disability
disclosure discharge division document dose draft drive drug east education eligibility email
emergency employee employees employer employment engagement enrollment equipment ethics
evaluation events examination exchange executive experience facility faculty family federal
fellow field file financial floor form forms forum foundation general goal goals government
group guide guideline guidelines handbook head health healthcare help history homecare hospice
hospital hotline hour hours human identification identifier imaging improvement inc inclusion
incident individual industry informatics information infusion inpatient institute instructions
insurance intake internal international interview inventory investigator item job justice kit
lab labor laboratory law leave level library license line list living llc local log long
main management manager manual map market materials maternity measure medicaid medical
medicare medication medications medicine meeting member members memo memorial message mobile
model monitor monitoring month name national navigator network night north notice notification
number nurse nursing nutrition office officer online operations order orders organization
outcome outcomes outpatient outreach package page paid paper parental parking participant
participants party patient patients pay payer payment payroll peer people performance period
permission person personal personnel pharmacist pharmacy phase phone physician physicians plans
point policy population portal position practice practitioner preference preferred president
primary privacy procedure procedures process product professional profile program programs
project protection protocol provider providers public quality questionnaire questions radio rate
reception recipient record records recovery referral region registration registry regulation
rehab rehabilitation relations release relationship remote report reporting representative
research resident resource resources response responsibilities result results retirement rights
risk role room rule safety sample satisfaction scale schedule scheduler school science score
screening secretary section security self senior service services session sex shift site social
society software south special specialist sponsor staff standard standards state statement
station status student study subject subjects summary supervisor supply support surgeon
surgery survey system systems table team technician technology test text therapist therapy
time title tool training transfer transport transportation travel treatment trial triage trust
type union unit university urgent user vaccine value version visit visitor volunteer wait
wage ward website week wellness west work worker workers workflow workforce workplace year
human-resources alpha beta gamma delta attending guardian applicant claimant candidate doctor
professor reverend judge father sister
"""

_MEDICINE = """
abdomen abdominal abnormal abuse adult airway alcohol anemia anesthesia angina antibiotic
anxiety aortic arterial artery arthritis aspirin asthma atrial bilateral biopsy bipolar bladder
bleeding blood bone bowel brain breast breath bronchial calcium cancer carcinoma cardiac cardio
cardiology cardiovascular cell cerebral chemo chemotherapy chest cholesterol chronic colon
coma complaint complications complication condition congestive consciousness coronary cough
count culture cystic deceased deep deficiency dehydration dementia dental depression depressive
dermatology diabetes diabetic diagnostic dialysis diet disease disorder distress dysfunction
echo edema elevated emergent endocrine endocrinology endoscopy epilepsy exam exposure eye
failure fasting fatigue fever fibrillation finding findings fluid foot fracture function
gastric gastroenterology gastrointestinal gene genetic gestational glucose gynecology
hand hearing heart hematology hemoglobin hepatic hepatitis hernia high hip hypertension
hypertensive hypothyroidism hypotension immune infection infectious inflammatory influenza
inhaler injection injury insulin intensive intestinal iron joint kidney knee leg lesion
leukemia lipid liver lobe lung lymph lymphoma major malignant mass mellitus mental
metabolic metformin microscopic migraine mild moderate monitor multiple muscle musculoskeletal
myocardial nausea neck negative neonatal neoplasm nerve neuro neurologic neurological neurology
neuropathy nodule obesity obstructive oncology ophthalmology oral orthopedic orthopedics
osteoarthritis osteoporosis pain palliative pancreatic panel paternal maternal pediatric
pediatrics pelvic penicillin peripheral physical plasma platelet pneumonia positive
post postoperative posttraumatic potassium pregnancy pressure preoperative procedure
prostate protein psych psychiatric psychiatry psychology pulmonary pulmonology pulse radiology
rash reaction reactive reflux renal respiratory rheumatology rheumatoid rhythm saline scan
schizophrenia seizure sepsis septic severe shock shortness sick sickle signs sinus skin sleep
sodium spinal spine stable stage stomach stress stroke substance sudden suicide supine
surgical symptom symptoms syndrome tablet tachycardia thoracic throat thyroid tibia tissue
tobacco toxic transient transplant trauma tuberculosis tumor ulcer ultrasound upper urinary
urine urology uterine vaccination valve vascular vein venous ventricular viral virus vision
vital vitals vitamin weight wound healthy alive living negative positive bacterial fungal
"""

_EPONYMS = """
addison alport alzheimer apgar asperger babinski barrett basedow becker behcet bell bence bright
brudzinski burkitt cesarean charcot chiari chvostek colles cooley coombs creutzfeldt crohn
cushing doppler down dupuytren duchenne ehlers eisenmenger epstein erb fanconi foley
framingham fallot gaucher giemsa gilbert glasgow gleason goodpasture gram graves guillain
hashimoto heimlich henoch hirschsprung hodgkin holter homan horner huntington janeway
kaposi kaplan kawasaki kernig klinefelter koplik korsakoff kupffer kussmaul lewy likert lou
gehrig lyme lynch marfan mcburney meier meniere mohs morton munchausen murphy newton osgood
osler paget pap parkinson peyronie pick pott prader raynaud reiter rett reye rinne romberg
rorschach schlatter schwann scheuermann sjogren sjögren snellen stevens still tay tinel
tourette trendelenburg trousseau turner valsalva virchow weber wegener wernicke whipple wilms
wilson wolff barre barré bonnet bovary braden morse katz lawton beck hamilton zung norton
schonlein achilles ménière menière behçet johns mayo kaiser
"""

_REGIONS = """
alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii
idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan
minnesota mississippi missouri montana nebraska nevada ohio oklahoma oregon pennsylvania
tennessee texas utah vermont virginia washington wisconsin wyoming hampshire jersey mexico york
carolina dakota rhode island america canada england scotland wales ireland france germany spain
italy india china japan brazil australia africa europe asia kenya nigeria vietnam korea
philippines cuba haiti guatemala salvador honduras peru colombia ethiopia somalia syria iraq iran
afghanistan pakistan bangladesh nepal thailand indonesia malaysia poland russia ukraine united
states kingdom american english french spanish german chinese indian african asian hispanic
latino latina european mexican
"""

# what bears a person's name, or is one's discovery
_NAMED_AFTER = """
hospital university clinic institute college school foundation center centre medical syndrome
disease sign test scale score index memorial health building campus county street
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PLAIN = _words(_FUNCTION) | _words(_CALENDAR) | _words(_WORK) | _words(_MEDICINE)
EPONYMS = _words(_EPONYMS)
REGIONS = _words(_REGIONS)
NAMED_AFTER = _words(_NAMED_AFTER)
